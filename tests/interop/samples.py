"""Small hands that nobody played, one of each format, and files made of them."""

ACTIONS = [
    "d dh p1 AsKd", "d dh p2 7c7d", "d dh p3 ????", "p3 f", "p1 cbr 6", "p2 cc", "d db 2c7h9s", "p1 cbr 10",
    "p2 cbr 144", "p1 cc", "p1 sm AsKd", "p2 sm 7c7d", "d db Ts", "d db 4d",
]  # fmt: skip

PHH = f"""\
variant = "NT"
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 150, 300]
actions = {ACTIONS}
players = ["Ann", "Bob", "Cleo"]
hand = 7
finishing_stacks = [50, 300, 300]
"""

POKERSTARS = """\
PokerStars Hand #101:  Hold'em No Limit ($0.50/$1 USD) - 2024/05/01 20:00:00 ET
Table 'Aldebaran' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 3: Bob: the 2nd ($40.25 in chips)
Seat 4: Cleo ($100 in chips)
Bob: the 2nd: posts small blind $0.50
Cleo: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [Ah Qd]
Ann: raises $2 to $3
Bob: the 2nd: calls $2.50
Cleo: calls $2
*** FLOP *** [Qs 7h 2c]
Bob: the 2nd: bets $37.25 and is all-in
Cleo: calls $37.25
Ann: raises $59.75 to $97 and is all-in
Cleo: folds
Uncalled bet ($59.75) returned to Ann
*** TURN *** [Qs 7h 2c] [3d]
*** RIVER *** [Qs 7h 2c 3d] [9s]
*** SHOW DOWN ***
Bob: the 2nd: shows [Kd Qh] (a pair of Queens)
Ann: shows [Ah Qd] (a pair of Queens)
Ann collected $118.75 from pot
*** SUMMARY ***
Total pot $120.75 | Rake $2
Board [Qs 7h 2c 3d 9s]
Seat 1: Ann (button) showed [Ah Qd] and won ($118.75) with a pair of Queens
Seat 3: Bob: the 2nd (small blind) showed [Kd Qh] and lost with a pair of Queens
Seat 4: Cleo (big blind) folded on the Flop
"""

FULL_TILT = """\
Full Tilt Poker Game #202: Table Rigel (6 max) - PL Omaha H/L - $0.50/$1 - 20:00:00 ET - 2012/05/01
Seat 1: Ann ($100)
Seat 2: Bob Bob ($100), is sitting out
Seat 5: Cleo ($1,000.50)
Ann posts the small blind of $0.50
Cleo posts the big blind of $1
The button is in seat #1
*** HOLE CARDS ***
Ann raises to $3
Cleo calls $2
*** FLOP *** [2h 3d 8c] (Total Pot: $6, 2 Players)
Cleo checks
Ann: nice flop
Ann bets $4
Cleo has 15 seconds left to act
Cleo calls $4
*** TURN *** [2h 3d 8c] [Ks] (Total Pot: $14, 2 Players)
Cleo checks
Ann checks
*** RIVER *** [2h 3d 8c Ks] [9d] (Total Pot: $14, 2 Players)
Cleo checks
Ann checks
*** SHOW DOWN ***
Cleo shows [Ac 4s Qd Qh] a pair of Queens, for high and 8,4,3,2,A, for low
Ann shows [Kd Kh Jc Tc] three of a kind, Kings, for high
Ann wins the high pot ($6.80) with three of a kind, Kings
Cleo wins the low pot ($6.80) with 8,4,3,2,A
*** SUMMARY ***
Total pot $14 | Rake $0.40
Board: [2h 3d 8c Ks 9d]
Seat 1: Ann (small blind) showed [Kd Kh Jc Tc] and won ($6.80)
Seat 2: Bob Bob is sitting out
Seat 5: Cleo (big blind) showed [Ac 4s Qd Qh] and won ($6.80)
"""

ACPC = """\
# name/game/hands/seed sample holdem.nolimit.2p.reverse_blinds.game 2 0
STATE:0:cc/cc/cc/r200c:5d5c|9hQd/8dAs8s/4h/6d:200|-200:ann|bob
STATE:1:r300f:Jc8d|TdQd:-100|100:bob|ann
SCORE:300|-300:ann|bob
"""

IRC = (
    "700 1 12 3 2/30 2/50 2/90 2/130 Qc Ks 8s Jh Tc\n701 1 13 3 0/0 0/0 0/0 1/15\n",
    "700 3 ann bob cleo\n701 3 ann bob cleo\n",
    [
        "ann 700 3 1 Bf - - - 1000 5 0\nann 701 3 3 f - - - 995 0 0\n",
        "bob 700 3 2 Bk b b b 500 60 125 Ah Kd\nbob 701 3 1 Bf - - - 565 5 0\n",
        "cleo 700 3 3 c c c c 800 60 0 Qd Jd\ncleo 701 3 2 B - - - 740 10 15\n",
    ],
)
