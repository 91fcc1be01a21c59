"""One line of the hand-rank protocol: read it, and answer it or say what is left to compute.

Nothing here knows about sockets. `Desk.take` never raises, whatever bytes it is given: a line that makes
no sense is answered by one that starts with ``ERR``. The commands are those of table 14 of the thesis that
describes such a server (a rank, strength and potential server for agents), and a few small ones.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from felt import __version__
from felt.cards.card import CARD_NAMES, DECK_SIZE, parse_cards
from felt.errors import FeltError, printable
from felt.odds.equity.question import MAX_OPPONENTS
from felt.server.rank.measures import AnswerStore, Cards, Measures

log = logging.getLogger(__name__)


MAX_TAG = 32  # bytes in a tag, with its ``#``

USAGE = {
    "RANK": "RANK <hand>",
    **{name: f"{name} <hand> [opponents]" for name in ("HS", "HP", "EHS")},
    "CHEN": "CHEN <card> <card>",
    "ARS": "ARS <hand> [opponents]",
    **{name: name for name in ("PING", "VERSION", "HELP", "QUIT")},
}

HELP = (
    " | ".join(USAGE.values()) + " || a hand is two hole cards and a board of 3 to 5, like AsAd7s4d2c; "
    "a first word like #17 is a tag and its answer, led by that tag, may come before earlier ones"
)

_HASH = ord("#")
_SPELLINGS = [(name, card) for card, name in enumerate(CARD_NAMES[:DECK_SIZE])]
_CARD_OF = {
    spelling.encode(): card
    for name, card in _SPELLINGS
    for spelling in (name, name.lower(), name.upper(), name[0].lower() + name[1].upper())
}


class Slow(NamedTuple):
    """An answer that is still to be computed, outside the event loop."""

    tag: bytes
    run: Callable[[], bytes]

    def answer(self) -> bytes:
        """Compute it: the whole line, newline and tag included."""
        return self.tag + self.run()


class Goodbye(NamedTuple):
    """The last answer of a connection."""

    answer: bytes


Outcome = bytes | Slow | Goodbye  # a finished line, or what else a request can lead to


def canonical(cards: Cards) -> str:
    """The hand with its suits renamed so that all hands that differ by suits only read the same.

    For each suit, the ranks in the hole and the ranks on the board make one number; those four numbers in
    order are the same for exactly those hands. The order of the board does not count.

    >>> from felt.cards.card import parse_cards
    >>> canonical(parse_cards("AcAh7s4d2c")) == canonical(parse_cards("AsAd4h7c2s"))
    True
    >>> canonical(parse_cards("AcAh7s4d2c"))
    'AcAd/2c7h4s'
    """
    suits = [0, 0, 0, 0]
    for place, card in enumerate(cards):
        suits[card & 3] |= 1 << (card >> 2) + (13 if place < 2 else 0)
    suits.sort(reverse=True)
    hole, board = (
        "".join(
            CARD_NAMES[4 * rank + suit]
            for suit, bits in enumerate(suits)
            for rank in range(12, -1, -1)
            if bits >> rank + shift & 1
        )
        for shift in (13, 0)
    )
    return f"{hole}/{board}"


class Desk:
    """Answers lines with the given measures, and keeps slow answers where it is told to.

    >>> desk = Desk(Measures(rank=sum, chen=sum, ars=max, hs=max, hp=max, ehs=max))
    >>> desk.take(b"PING")
    b'PONG\\n'
    >>> desk.take(b"#7 PING")
    b'#7 PONG\\n'
    """

    def __init__(self, measures: Measures, answers: AnswerStore | None = None) -> None:
        self._measures = measures
        self._answers = answers
        handlers: dict[str, Callable[[list[bytes]], Outcome]] = {
            "RANK": self._rank,
            "CHEN": self._chen,
            "ARS": lambda words: b"%.6f\n" % measures.ars(*_hand_and_opponents(words)),
            "HS": partial(self._slow, "HS", lambda *hand: (measures.hs(*hand),)),
            "HP": partial(self._slow, "HP", measures.hp),
            "EHS": partial(self._slow, "EHS", lambda *hand: (measures.ehs(*hand),)),
            "PING": lambda words: _fixed(words, b"PONG\n"),
            "VERSION": lambda words: _fixed(words, f"felt {__version__}\n".encode()),
            "HELP": lambda words: _fixed(words, f"{HELP}\n".encode()),
            "QUIT": lambda words: Goodbye(_fixed(words, b"BYE\n")),
        }
        self._handlers = {
            spelling.encode(): handler
            for name, handler in handlers.items()
            for spelling in (name, name.lower(), name.capitalize())
        }

    def take(self, line: bytes) -> Outcome:
        """Answer one line, given without its newline; whatever it holds, this does not raise."""
        tag = b""
        try:
            words = line.split()
            if not words:
                raise FeltError(f"empty line: send a command such as {USAGE['RANK']!r}, or 'HELP'")
            if words[0][0] == _HASH:
                tag = _tag(words[0])
                words = words[1:]
                if not words:
                    raise FeltError(f"nothing after the tag {_quoted(tag)}: write '#17 RANK AsAd7s4d2c'")
            handler = self._handlers.get(words[0]) or self._handlers.get(_text(words[0]).upper().encode())
            if handler is None:
                raise FeltError(f"unknown command {_quoted(words[0])}: use one of {', '.join(USAGE)}")
            outcome = handler(words)
        except FeltError as mistake:
            outcome = error_line(mistake)
        except Exception as fault:
            outcome = _fault_line(line, fault)
        lead = tag + b" " if tag else b""
        if isinstance(outcome, bytes):
            return lead + outcome
        return outcome._replace(tag=lead) if isinstance(outcome, Slow) else Goodbye(lead + outcome.answer)

    def too_long(self, start: bytes, limit: int) -> bytes:
        """The answer to a line over the limit, of which only the start is known."""
        mistake = error_line(FeltError(f"line longer than {limit} bytes, skipped: a request has at most 7 cards"))
        first = start[:limit].split(maxsplit=1)[:1]
        if first and first[0][0] == _HASH:
            with suppress(FeltError):
                return _tag(first[0]) + b" " + mistake
        return mistake

    def _rank(self, words: list[bytes]) -> bytes:
        if words[-1].isdigit():
            name = words[0].decode().upper()
            raise FeltError(f"{name} does not take a number of opponents, like {_quoted(words[-1])}: leave it out")
        return b"%d\n" % self._measures.rank(_checked_size(words, _cards(words[1:])))

    def _chen(self, words: list[bytes]) -> bytes:
        cards = _cards(words[1:])
        if len(cards) != 2:
            raise FeltError(f"CHEN takes two cards, not {len(cards)}: write 'CHEN As Kd'")
        return b"%g\n" % self._measures.chen(cards)

    def _slow(self, command: str, measure: Callable[[Cards, int], tuple[float, ...]], words: list[bytes]) -> Outcome:
        cards, opponents = _hand_and_opponents(words)
        key = f"{command} {canonical(cards)} {opponents}" if self._answers is not None else ""
        stored = self._answers.get(key) if self._answers is not None else None
        if stored is not None:
            return f"{stored}\n".encode()

        def compute() -> bytes:
            """Runs on a thread, so it too turns every mistake and fault into an answer."""
            try:
                answer = " ".join(f"{value:.6f}" for value in measure(cards, opponents))
                if self._answers is not None:
                    self._answers.put(key, answer)
                return f"{answer}\n".encode()
            except FeltError as mistake:
                return error_line(mistake)
            except Exception as fault:
                return _fault_line(command.encode(), fault)

        return Slow(b"", compute)


def error_line(mistake: FeltError) -> bytes:
    return printable(" ".join(f"ERR {mistake}".split())).encode(errors="replace") + b"\n"


def _fault_line(line: bytes, fault: Exception) -> bytes:
    """The line that owns up to a fault of ours, which must not cost the client its connection."""
    log.error("fault while answering %r", line, exc_info=fault)
    return f"ERR internal fault ({type(fault).__name__}), please report this request; others still work\n".encode()


def _tag(word: bytes) -> bytes:
    shown = _quoted(word)
    if not 1 < len(word) <= MAX_TAG:
        raise FeltError(f"tag {shown} is not 1 to {MAX_TAG - 1} bytes after '#': write '#17 RANK AsAd7s4d2c'")
    return word


def _fixed(words: list[bytes], answer: bytes) -> bytes:
    if len(words) > 1:
        name = words[0].decode().upper()
        raise FeltError(f"{name} takes nothing after it, not {_quoted(words[1])}: send {name!r} alone")
    return answer


def _cards(words: list[bytes]) -> Cards:
    """Different cards, jokers excepted, from words such as ``AsKd``, ``10h`` or ``A♠``."""
    try:
        cards = tuple([_CARD_OF[word[i : i + 2]] for word in words for i in range(0, len(word), 2)])
    except KeyError:
        cards = parse_cards(_text(b" ".join(words)))
        if cards and max(cards) >= DECK_SIZE:
            shown = _quoted(b" ".join(words))
            raise FeltError(f"joker in {shown}: the server knows the 52 cards 2c to As only") from None
    if len(set(cards)) != len(cards):
        parse_cards(_text(b" ".join(words)))  # says which card stands twice
    return cards


def _hand_and_opponents(words: list[bytes]) -> tuple[Cards, int]:
    last = words[-1]
    if not last.isdigit():
        return _checked_size(words, _cards(words[1:])), 1
    opponents = int(last) if len(last) <= 3 else 1000
    if not 1 <= opponents <= MAX_OPPONENTS:
        raise FeltError(f"{_quoted(last)} opponents cannot be dealt in: give a number from 1 to {MAX_OPPONENTS}")
    return _checked_size(words, _cards(words[1:-1])), opponents


def _checked_size(words: list[bytes], cards: Cards) -> Cards:
    if not 5 <= len(cards) <= 7:
        name = words[0].decode().upper()
        raise FeltError(
            f"{name} takes a hand of 5 to 7 cards, not {len(cards)}: two hole cards and the board, "
            f"like '{name} AsAd7s4d2c'"
        )
    return cards


def _quoted(word: bytes) -> str:
    return _short(_text(word))


def _text(word: bytes) -> str:
    try:
        return word.decode()
    except UnicodeDecodeError as error:
        raise FeltError(
            f"{_short(word)} is not UTF-8 text (byte {error.start + 1} is 0x{word[error.start]:02x}): "
            f"send plain text like 'RANK AsAd7s4d2c'"
        ) from None


def _short(text: str | bytes) -> str:
    """The text quoted, with control characters made visible, and cut to a length that reads well."""
    return repr(text) if len(text) <= 40 else repr(text[:37])[:-1] + "…" + repr(text)[-1]
