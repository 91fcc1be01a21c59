"""The command lines whose output is recorded, by name: each case runs in an empty folder, line after line.

What a line writes to a file by ` > ` is not compared: messages to people may be worded anew.
"""

from tests.interop.samples import PHH, POKERSTARS

SOLVED = "solve leduc --algorithm cfr+ --iterations 40 --save leduc.felt --json"
GAMES = (
    "27-single-draw", "27-triple-draw", "a5-triple-draw", "anaconda", "badacey", "badugi", "baseball", "brag",
    "cap-holdem", "cincinnati", "five-card-draw", "five-card-draw-bug", "five-card-draw-jokers", "kuhn", "leduc",
    "leduc-one-raise", "limit-holdem", "manila", "nlhe", "omaha8", "plo", "plo5", "plo8", "pot-limit-holdem",
    "preflop-limit", "preflop-nolimit", "razz", "roll-your-own", "short-deck", "six-card-stud", "spread-holdem",
    "stud", "stud8",
)  # fmt: skip

PLAYED = (
    "SELECT count(*) AS actions, count(DISTINCT hand) AS hands, sum(amount) AS amounts, sum(pot) AS pots,"
    " sum(CASE WHEN move = 'fold' THEN 1 ELSE 0 END) AS folds FROM actions"
)
"""A question whose answer changes with any action of a match's log."""

SUMMED = (
    "SELECT count(*) AS rows, count(DISTINCT run) AS runs, sum(stack) AS stacks, sum(abs(payoff)) AS payoffs,"
    " string_agg(player || cards, ' ' ORDER BY run, hand, seat)[:400] AS cards FROM results"
)
"""The like for a log of runs."""

CASES: dict[str, list[str]] = {
    "rank": [
        "rank AsAd KhKs --board QsJh2h7c3d --json",
        "rank As2dKcQh KhKs9d8d --board Qs3h4d7c5d --kind low-8 --json",
        "rank 2s3h5d7c8s 2h3s4d6c7h --kind low-27 --json",
        "rank As2h3d4c KsQhJdTc --kind badugi --json",
        "rank 6s7s8s9sTs AsKdQhJcTc --kind short --json",
    ],
    "equity-exact": [
        "equity AsKs QQ --json",
        "equity AsKs QQ+,AKs --board QhJs2c --json",
        "equity AsKs QQ+ --board QhJs2c --dead Qs --json",
        "equity AsAd KsKd QsQd --board 2c7d9h --json",
    ],
    "equity-sampled": [
        "equity AsAd --opponents 3 --samples 4000 --seed 1 --json",
        "equity 20% AJs+ random --samples 4000 --seed 2 --threads 1 --json",
        "equity AsAdKh9h4c KsKdQhJc2h random --dead AhKc3d --game stud --samples 4000 --json",
    ],
    "equity-omaha": [
        "equity AsAdKsKd QhJhTc9c --game omaha --board 2c7d9h --json",
        'equity "AsAd??" KsKdQsJs --board 2c7d9h --game omaha --json',
        "equity As2dKsKd Ac2cQhJh --game omaha-hilo --board 4h6s8dTsTh --json",
    ],
    "equity-other": [
        "equity AsAd KsKh --game short-deck --board 9s8s7d --json",
        "equity As2s3d KhQhJd --game razz --samples 2000 --seed 3 --json",
        "equity As2h3d4c KsQhJdTc --game badugi --samples 2000 --json",
    ],
    "odds": [
        "odds AsKd --json",
        "odds 5h4h --board Kh6s3h --json",
        "odds 5h4h --board Kh6s3h9c --opponents 3 --json",
        "odds 5h4h --board Kh6s3h9c2d --opponents 2 --json",
    ],
    "pot": [
        "pot --pot 150 --call 50 --equity 30% --json",
        "pot --pot 100 --bet 75 --fold 0.4 --outs 9 --json",
        "pot --pot 100 --call 20 --raise-to 90 --equity 0.4 --fold 0.3 --rake 5% --rake-cap 3 --json",
    ],
    "range": [
        'range "TT+, AQs+, A5s-A2s:0.5" --json',
        'range "top 15%" --ranking chen --json',
        'range "top 12%" --ranking sklansky --dead AsKd --json',
        'range "top 30%" --ranking multiway --style pio --json',
        'range "top 7.5%" --style equilab --json',
    ],
    "agents": ["agents --json"],
    "game-list": ["game list --json"],
    "game-show": [f"game show {game} --json" for game in ("nlhe", "stud8", "badacey", "roll-your-own")],
    "game-show-xml": ["game show leduc --set players=3 --xml", "game show 27-triple-draw --xml"],
    "game-tree": [
        "game tree kuhn --json",
        "game tree leduc --depth 3 --json",
        "game tree nlhe --players 2 --stack 20 --depth 4 --json",
        "game tree limit-holdem --players 2 --depth 4 --json",
    ],
    "game-play": [f"game play {game} --players 2 --seed 7 --json" for game in GAMES],
    "game-play-table": [
        "game play nlhe --players 6 --stack 30 --seed 3 --json",
        "game play plo8 --players 5 --stack 40 --seed 8 --json",
        "game play razz --players 4 --stack 20 --seed 9 --json",
        "game play badugi --players 4 --seed 10 --json",
        "game play stud8 --players 4 --seed 4 --json",
        "game play five-card-draw-jokers --players 5 --seed 5 --json",
        "game play leduc --set ranks=5 --players 3 --seed 6 --json",
    ],
    "game-validate": [
        "game show stud --xml > stud.xml",
        "game validate stud.xml --json",
        "game play stud.xml --seed 2 --json",
    ],
    "verify-deal": ["verify-deal deal.json --json"],
    "match": ["match call random --hands 200 --seed 3 --workers 1 --json"],
    "match-duplicate": ["match tag call --hands 60 --duplicate --seed 1 --workers 1 --json"],
    "match-processes": ["match potodds random --hands 120 --duplicate --seed 5 --workers 2 --json"],
    "match-agents": [
        "match ehs chen potodds tag random --hands 20 --stack 40 --seed 8 --workers 1 --json",
        "match dials raise fold --hands 60 --seed 9 --workers 1 --game limit-holdem --json",
    ],
    "match-rules": [
        "match fold raise --hands 100 --set small_blind=50 --set big_blind=100 --json",
        "match random call --hands 100 --set rake=5% --seed 2 --workers 1 --json",
        "match random call --until 2000mbb --hands 400 --seed 3 --workers 1 --json",
    ],
    "match-games": [f"match random call --game {game} --hands 20 --seed 4 --workers 1 --json" for game in GAMES],
    "match-strategy": [SOLVED, "match strategy:leduc.felt random --game leduc --hands 200 --workers 1 --json"],
    "match-log": [
        "match random tag --hands 60 --seed 6 --workers 1 --log kept --json",
        "log show kept --json",
        "log stats kept --json",
        'log query kept "SELECT player, avg(mbb) AS mbb, count(*) AS hands FROM results GROUP BY player'
        ' ORDER BY 1" --json',
        'log query kept "SELECT players, cards, board FROM hands WHERE hand < 4 ORDER BY hand" --json',
        'log query kept "SELECT street, player, move, amount, pot, stacks FROM actions WHERE hand < 2'
        ' ORDER BY hand, number" --csv',
        "log export kept some.phhs --hands 0-5 > message.txt",
        "replay some.phhs --check --json",
        "match --resume kept --json",
    ],
    "league": ["league call raise random --hands 60 --duplicate --seed 2 --workers 1 --json"],
    "competition": ["competition call raise random tag --game kuhn --hands 60 --workers 1 --json"],
    "competition-holdem": ["competition call random fold --players-per-table 2 --hands 40 --seed 3 --workers 1 --json"],
    "tournament": ["tournament call*2 fold*2 --stack 10 --repeat 20 --workers 1 --json"],
    "tournament-tables": [
        "tournament random*6 --stack 20 --players-per-table 4 --repeat 6 --seed 2 --workers 1 --json",
        "tournament random*3 call*2 --stack 10 --blinds 5/10,10/20/2 --hands-per-level 3 --payouts 60,40"
        " --repeat 5 --seed 3 --workers 1 --json",
    ],
    "tournament-log": [
        "tournament random call --stack 8 --repeat 4 --seed 4 --workers 1 --log cups --json",
        "log show cups --json",
        'log query cups "SELECT player, count(*) AS hands FROM results GROUP BY player ORDER BY player" --json',
        "log export cups final.phhs --match 3 > message.txt",
        "replay final.phhs --check --json",
        "tournament random call --stack 8 --repeat 4 --seed 4 --workers 1 --log cups --json",
    ],
    "ring": [
        "ring call call --bankroll 5,10 --policy never --rounds 15 --repeat 10 --workers 1 --json",
        "ring tag@kelly*2 random --bankroll 100 --levels 1,2,5 --rounds 12 --repeat 2 --seed 2 --workers 1 --json",
    ],
    "ring-log": [
        "ring random call --bankroll 20 --rounds 6 --repeat 2 --seed 4 --workers 1 --log rings --json",
        "log show rings --json",
        'log query rings "SELECT player, count(*) AS hands FROM results GROUP BY player ORDER BY player" --json',
    ],
    "evolve": [
        "evolve dials --game limit-holdem --population 6 --generations 2 --deals 3 --meetings 3 --yardstick 2"
        " --workers 1 --json",
        "evolve dials:bluff=0,size=1 --game limit-holdem --population 4 --generations 2 --deals 2 --meetings 2"
        " --yardstick 1 --reproduction asexual --seed 3 --workers 1 --log bred --json",
    ],
    "solve-kuhn": [
        f"solve kuhn --algorithm {name} --iterations 100 --json"
        for name in ("cfr", "cfr+", "linear", "dcfr", "predictive", "pruned")
    ],
    "solve-compare": ["solve leduc --algorithm cfr,cfr+,dcfr,predictive --iterations 20 --json"],
    "solve-sampled": [
        f"solve leduc --algorithm {name} --iterations 300 --seed 5 --json"
        for name in ("sampled", "external", "outcome", "public-chance")
    ],
    "solve-forms": [
        *(f"solve leduc --form {form} --iterations 30 --json" for form in ("ends", "levels", "vector")),
        "solve leduc --form vector --float 32 --iterations 30 --json",
        "solve leduc --threads 2 --iterations 30 --json",
    ],
    "solve-players": [
        "solve kuhn --players 3 --iterations 60 --json",
        "solve leduc --set ranks=4 --stack 8 --iterations 20 --json",
        "solve leduc-one-raise --target 0.05 --json",
    ],
    "solve-abstract": [
        "solve leduc --cards ranks --iterations 40 --json",
        "solve leduc --cards ehs:2 --iterations 40 --json",
        "solve leduc --history street --iterations 40 --save forgets.felt --json",
        "solve forgets.felt --iterations 50 --json",
    ],
    "solve-resume": [
        SOLVED,
        "solve leduc.felt --iterations 80 --save leduc.felt --json",
        "exploitability leduc.felt --json",
    ],
    "solve-sizes": ["solve preflop-nolimit --stack 6 --sizes inf --algorithm external --iterations 40 --json"],
    "exploitability": [
        "solve leduc --algorithm external --iterations 300 --seed 2 --save sampled.felt --json",
        "exploitability sampled.felt --json",
    ],
    "pushfold": ["pushfold --stack 8 --ante 0.1 --algorithm cfr+ --target 0.001 --json"],
    "pushfold-three": ["pushfold --stacks 8,5,12 --payouts 50,30,20 --target 0.001 --json"],
    "pushfold-scan": ["pushfold scan --from 5 --to 7 --step 1 --json"],
    "replay": [
        "replay session.phh --json",
        "replay session.txt --json",
        "replay session.phh --check --json",
    ],
    "convert": [
        "convert session.phh - --to pokerstars --hero Ann",
        "convert session.txt - --to phh",
        "convert session.phh some.phhs > message.txt",
        "replay some.phhs --check --json",
    ],
    "stats": [
        "stats session.phh session.txt --player Ann --json",
        "stats session.phh --top 1 --by position --json",
    ],
    "strategies": [
        "solve kuhn --algorithm cfr+ --iterations 50 --save kuhn.felt --json",
        "strategies add kuhn.felt --name mine --data data > message.txt",
        "strategies list --data data --json",
        "strategies remove mine --data data > message.txt",
        "strategies list --data data --json",
    ],
    "acpc-deal": ["acpc deal nlhe call fold --hands 10 --seed 1 --log dealt.log --json", "replay dealt.log --json"],
    **{
        f"0.1-strategy-{name}": [
            f"exploitability strategies/{name}.felt --json",
            f"solve strategies/{name}.felt --iterations {iterations} --json",
            f"match strategy:strategies/{name}.felt random --game {game} --hands 60 --seed 3 --workers 1 --json",
        ]
        for name, iterations, game in (
            ("tree", 50, "leduc"), ("public", 40, "leduc"), ("public-32", 40, "leduc"), ("levels", 40, "leduc"),
            ("buckets", 40, "leduc"), ("forgetful", 40, "leduc"), ("external", 400, "leduc"),
            ("sampled", 400, "leduc"), ("outcome", 400, "leduc"), ("public-chance", 400, "leduc"),
            ("own-key", 30, "kuhn"),
        )
    },
    "0.1-strategy-three": [
        "exploitability strategies/three.felt --json",
        "solve strategies/three.felt --iterations 60 --json",
        "match strategy:strategies/three.felt random call --game kuhn --hands 60 --seed 3 --workers 1 --json",
    ],
    "0.1-strategy-later": [
        "exploitability strategies/later.felt --json",
        "solve strategies/later.felt --iterations 30 --json",
    ],
    "0.1-log-match": [
        "log show match --json",
        "log stats match --json",
        'log query match "SELECT hand, players, cards, board FROM hands ORDER BY hand LIMIT 12" --csv',
        'log query match "SELECT * FROM results ORDER BY hand, player LIMIT 12" --csv',
        'log query match "SELECT hand, number, street, player, position, move, amount, pot, stacks FROM actions'
        ' ORDER BY hand, number LIMIT 30" --csv',
        f'log query match "{PLAYED}" --json',
        "log export match hands.phhs > message.txt",
        "replay hands.phhs --check --json",
        "match --resume match --json",
        "match --resume match --hands 80 --json",
    ],
    "0.1-log-draw": [
        f'log query draw "{PLAYED}" --json',
        "log export draw hands.phhs > message.txt",
        "replay hands.phhs --check --json",
        "match --resume draw --json",
    ],
    "0.1-log-league": [
        "log show league --json",
        f'log query league "{PLAYED}" --json',
        'log query league "SELECT match, player, sum(mbb) AS mbb FROM results GROUP BY ALL ORDER BY ALL" --json',
        "league call random fold --hands 20 --seed 3 --workers 1 --log league --json",
    ],
    "0.1-log-cut": [
        f'log query cut "{PLAYED}" --json',
        "match --resume cut --hands 90 --json",
        f'log query cut "{PLAYED}" --json',
        "match random tag --hands 90 --seed 7 --workers 1 --json",
    ],
    "0.1-log-cups": [
        "log show cups --json",
        f'log query cups "{SUMMED}" --json',
        'log query cups "SELECT run, hand, level, button, players, stacks, cards, board, payoffs FROM hands'
        ' ORDER BY run, hand LIMIT 12" --csv',
        "log stats cups --json",
        'log query cups "SELECT player, count(*) AS hands FROM results GROUP BY player ORDER BY player" --json',
        "log export cups final.phhs --match 3 > message.txt",
        "convert final.phhs - --to phhs",
        "tournament random*2 call --stack 8 --repeat 6 --seed 4 --workers 1 --log cups --json",
    ],
    "0.1-log-cut-cups": [
        "tournament random*2 call --stack 8 --repeat 6 --seed 4 --workers 1 --log cut-cups --json",
        f'log query cut-cups "{SUMMED}" --json',
    ],
    "0.1-log-rings": [
        "log show rings --json",
        f'log query rings "{SUMMED}" --json',
        "ring random call --bankroll 20 --rounds 8 --repeat 3 --seed 4 --workers 1 --log rings --json",
    ],
    "0.1-log-upgrade": [
        "log upgrade cups > message.txt",
        f'log query cups "{SUMMED}" --json',
        "log upgrade draw > message.txt",
        f'log query draw "{PLAYED}" --json',
        "log upgrade cut > message.txt",
        "match --resume cut --hands 90 --json",
        f'log query cut "{PLAYED}" --json',
    ],
    "0.1-log-bred": [
        "evolve dials --game limit-holdem --population 4 --generations 2 --deals 2 --meetings 2 --yardstick 1"
        " --seed 3 --workers 1 --log bred --json",
    ],
}  # fmt: skip

ARCHIVES = {"0.1-strategy-": "strategies-0.1.0.zip", "0.1-log-": "logs-0.1.0.zip"}
"""What else lies there, by how a case's name begins: files that a release wrote."""

DEAL = """\
{
 "commitment": "589d7e3996d894473eed7bcd8462edd605e9016601a124785794477c79d7888b",
 "leaves": [
  "032350db052c6649fa0d80e4f73775933e3fc866cdde2c791e63a57a6be60f76",
  "e3f460022658c63429bd52224216e58837f89890b75f328a6af9dcc0ed80686f",
  "bbee70bb70ac9d98f7f9b8f04475ffebad610830db2dcdb965d4cf108840b3b1"
 ],
 "cards": [
  {
   "at": 0,
   "card": "As",
   "salt": "e60b9b310d7f512d96c835d77216921d8ffd56569415f6a308d3158b38636d20"
  },
  {
   "at": 2,
   "card": "3s",
   "salt": "063e9241c8af4cc4055f5c10f9a06c325d8496490b23d95f8d0217c73a5bf33d"
  }
 ]
}
"""

INPUTS = {"session.phh": PHH, "session.txt": POKERSTARS, "deal.json": DEAL}
"""What lies in every folder before the first line."""

UNRECORDED = {
    "serve": "runs until it is stopped; tests/server",
    "rank-server": "runs until it is stopped; tests/server",
    "tour": "talks with a person; tests/cli/test_tour.py",
    "tables": "builds a table of hundreds of megabytes; tests/cli/test_tables.py",
    "acpc join": "needs a dealer beside it; tests/interop/test_acpc_join.py",
}
"""Commands without a case, each with the reason and the tests that have it."""
