"""Random games that make sense, for hypothesis."""

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from felt.cards.deck import Deck, kuhn_deck, leduc_deck, make_deck, short_deck, standard_deck
from felt.games.rules import Betting, First, GameRules, Rake, Round, RulesError, Score, Showdown, Structure

amounts = st.integers(0, 10_000)
bets = st.integers(1, 10_000)
names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).map(str.strip).filter(bool)
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t\r"), max_size=30)

BY_CARDS = (First.LOWEST_UP, First.HIGHEST_UP, First.BEST_UP, First.BEST_LOW_UP)
FORMULAS = ("$c1.rank", "$c1.rank * 13 + $c1.suit", "$c1.suit > 1 ? 10 - $c1.rank : -1", "not $c1.rank")
CONDITIONS = ("$c1.rank == 3", "$c1.suit < 2 and $c1.rank >= 4", "$c1.rank != 0 or $c1.suit <= 1")


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    listed = st.lists(st.integers(0, 51), min_size=20, max_size=40, unique=True)
    return draw(
        st.one_of(
            st.just(standard_deck()),
            st.integers(1, 2).map(lambda jokers: standard_deck(jokers=jokers)),
            st.just(short_deck()),
            st.integers(6, 13).map(kuhn_deck),
            st.tuples(st.integers(3, 8), st.integers(2, 4)).map(lambda shape: leduc_deck(*shape)),
            st.tuples(names, st.integers(0, 8)).map(lambda t: make_deck(t[0], ranks=range(t[1], 13))),
            st.tuples(names, listed).map(lambda t: Deck(t[0], tuple(t[1]))),
            st.tuples(names, listed).map(lambda t: Deck(t[0], (53, *t[1], 52))),
        )
    )


@st.composite
def bettings(draw: st.DrawFn) -> Betting | None:
    structure = draw(st.sampled_from([None, *Structure]))
    if structure is None:
        return None
    bet = draw(bets)
    most = bet + draw(amounts) if structure == Structure.SPREAD else 0
    return Betting(structure, bet, most, draw(st.integers(0, 6)))


@st.composite
def parts(draw: st.DrawFn, *, held: int, seen_up: int, room: int, board: int, blinds: bool) -> Round:
    """A round after `held` cards each; `room` more can be held, and `board` more can lie open."""
    down = draw(st.integers(0 if held else 1, max(1, min(2, room))))
    up = draw(st.integers(0, max(0, min(1, room - down))))
    held += down + up
    firsts = [First.AFTER_BUTTON, *(BY_CARDS if seen_up + up else ()), *((First.AFTER_BLINDS,) if blinds else ())]
    draw_most = draw(st.integers(0, held))
    betting = draw(bettings())
    if betting is None and down + up + draw_most == 0:
        betting = Betting(Structure.LIMIT, 1)  # else there would be nothing to do
    return Round(
        name=draw(names),
        down=down,
        up=up,
        board=draw(st.integers(0, min(3, board))),
        passes=draw(st.integers(0, held)),
        pass_left=draw(st.booleans()),
        discards=draw(st.sampled_from([0, 0, 0, min(1, held - 1)])),
        draw_most=draw_most,
        draw_least=draw(st.integers(0, draw_most)),
        betting=betting,
        first=draw(st.sampled_from(firsts)),
        clockwise=draw(st.booleans()),
    )


@st.composite
def showdowns(draw: st.DrawFn, deck: Deck, *, held: int, board: int) -> Showdown:
    size = draw(st.integers(1, min(5, held + board)))
    jokers = tuple(card for card in deck if card > 51)
    if jokers:
        more = draw(st.lists(st.sampled_from(deck.cards), max_size=6, unique=True))
        return Showdown(wild=tuple({*jokers, *more}))
    exactly = draw(st.sampled_from([0, *range(max(1, size - board), min(size, held) + 1)]))
    if draw(st.booleans()) and draw(st.booleans()):
        ranks = draw(st.lists(st.integers(0, 50), min_size=1, max_size=4, unique=True))
        scores = [
            Score(
                name=draw(names),
                rank=rank,
                subrank=draw(st.sampled_from(FORMULAS)),
                conditions=tuple(draw(st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=2))) if i else (),
                default=i == 0,
                sort=draw(st.booleans()),
            )
            for i, rank in enumerate(ranks)
        ]
        return Showdown(("high",), size, exactly, (), tuple(draw(st.permutations(scores))))
    fives = [("low-27",), ("high", "low-8"), ("low-8", "high"), ("badugi", "low-27")]
    shorts = [("short",), ("short-trips",)] if min(deck) >= 16 else []
    kinds = draw(st.sampled_from([("high",), ("low-a5",), *((fives + shorts) if size == 5 else [("high", "low-a5")])]))
    wild = tuple(draw(st.lists(st.sampled_from(deck.cards), max_size=8, unique=True)))
    return Showdown(kinds, size, exactly, wild if (kinds, size) == (("high",), 5) else ())


@st.composite
def games(draw: st.DrawFn) -> GameRules:
    """Rules of all kinds; most of them are no game that anyone would play, and all can be played."""
    blinds = tuple(draw(st.lists(amounts, max_size=4)))
    blinds = blinds if any(blinds) else ()
    rounds: list[Round] = []
    held = up = board = dealt = 0
    for i in range(draw(st.integers(1, 4))):
        part = draw(parts(held=held, seen_up=up, room=7 - dealt, board=8 - board, blinds=bool(blinds) and i == 0))
        rounds.append(part)
        dealt += part.down + part.up
        held += part.down + part.up - part.discards
        up += part.up
        board += part.board
        if dealt > 5 or held < 1:
            break
    deck = draw(decks())
    assume(2 * dealt + board <= len(deck) and held + board >= 1)
    money: dict[str, Any] = {
        "ante": draw(amounts),
        "stack": draw(amounts),
        "unit": draw(st.sampled_from([1.0, 0.5, 0.01, 1 / 3])),
    }
    if blinds and draw(st.booleans()):
        money["cap"] = max(blinds) + draw(amounts)
    if len(blinds) > 1:
        money["big_blind_ante"] = draw(amounts)
    opening = rounds[0]
    if not blinds and opening.betting and opening.first in (First.LOWEST_UP, First.HIGHEST_UP):
        money["bring_in"] = draw(st.integers(0, opening.betting.bet))
    try:
        return GameRules(
            name=draw(names),
            rounds=tuple(rounds),
            title=draw(texts),
            description=draw(texts),
            deck=deck,
            min_players=draw(st.integers(2, 3)),
            max_players=draw(st.integers(3, 10)),
            blinds=blinds,
            heads_up_button_blind=draw(st.booleans()),
            showdown=draw(showdowns(deck, held=held, board=board)),
            rake=Rake(draw(st.sampled_from([0.0, 0.05, 1e-7])), draw(amounts), draw(st.booleans())),
            **money,
        )
    except RulesError:
        assume(False)
        raise
