"""`felt acpc`: Felt as the dealer of the computer poker competition, and as a player at its tables."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from felt.cli import output
from felt.cli.arena.options import PlotsTo, ReportTo, Seed, option_words
from felt.cli.arena.playing import check_report, write_report
from felt.cli.games.finding import Settings, load_game
from felt.cli.loading import group
from felt.cli.options import Json, argument, count_number, option, port_number, positive_number, seed_number
from felt.cli.output import complain, progress_bar
from felt.errors import FeltError, printable

if TYPE_CHECKING:
    from felt.games import GameRules
    from felt.interop.acpc.contest import ContestOutcome
    from felt.interop.acpc.table import Told

EXIT_NOT_FINISHED = 1
EVERY = 100
"""Hands between two looks at the bar."""

app = group("Matches over the ACPC protocol, as the dealer or as a player.")


@app.command("deal")
def deal(
    game: str = argument("GAME", "An ACPC file (.game), or a game of the catalogue."),
    players: list[str] = argument("PLAYER PLAYER…", "listen[:NAME], start:COMMAND, or an agent (felt agents)."),
    hands: int = option(1000, "--hands -n", "N", "Hands of a match.", count_number),
    seed: Seed = 0,
    duplicate: bool = option(False, "--duplicate -d", "", "Play the same cards once in every order of the players."),
    host: str = option("127.0.0.1", "--host", "HOST", "Where to listen."),
    ports: str = option("", "--port -p", "PORT,…", "Ports by player; any that are free unless told."),
    log: Path | None = option(None, "--log", "FILE", "Write the dealer's log there."),
    settings: Settings = None,
    response: float = option(600.0, "--t-response", "SECONDS", "For one answer.", positive_number),
    hand_time: float = option(600.0, "--t-hand", "SECONDS", "For a player's answers in one hand.", positive_number),
    per_hand: float = option(
        7.0, "--t-per-hand", "SECONDS", "For a player's answers by hand, on average.", positive_number
    ),
    start: float = option(300.0, "--start-timeout", "SECONDS", "For all players to connect.", positive_number),
    report: ReportTo = None,
    plots: PlotsTo = None,
    json: Json = False,
) -> None:
    """Deal a match to ACPC players, Felt's agents among them or not; ports of players to come are printed first.

    Example: `felt acpc deal holdem.nolimit.2p.reverse_blinds.game ehs start:./player --hands 1000 --log match.log`
    """
    from felt.arena.match.spec import MOST_SECONDS
    from felt.interop.acpc.contest import Contest, ContestLimits
    from felt.interop.acpc.table import places, play, seatings

    seconds = {"--t-response": response, "--t-hand": hand_time, "--t-per-hand": per_hand, "--start-timeout": start}
    for name, value in seconds.items():
        if not 0 < value <= MOST_SECONDS:
            raise FeltError(f"{name} {value:g}: give seconds, more than 0 and at most {MOST_SECONDS:,}")
    check_report(report, plots)
    seats, rules = places(players), _rules(game, settings, len(players))
    title = Path(game).name if game.endswith(".game") else rules.name
    limits, orders = ContestLimits(response, hand_time, per_hand), seatings(len(seats), duplicate)
    outcomes: list[ContestOutcome] = []
    with progress_bar("hands") as bar:
        for place, order in enumerate(orders):
            file = log.with_name(f"{log.stem}.{place}{log.suffix}") if log is not None and duplicate else log
            names = tuple(seats[player].name for player in order)
            contest = Contest(rules, names, hands, seed, limits, file.stem if file else "felt", title)

            def advance(count: int, begun: int = place * hands) -> None:
                if bar is not None and count % EVERY == 0:
                    bar(begun + count, hands * len(orders))

            outcome = play(
                contest, [seats[player] for player in order], host=host, ports=_ports(ports), start_within=start,
                log=file, waiting=_waiting(host, json), progress=advance,
            )  # fmt: skip
            outcomes.append(outcome)
            if outcome.ended:
                break
    chosen = {"--set": settings, "--hands": hands, "--seed": seed, "--duplicate": duplicate}
    words = [word for flag, value in chosen.items() for word in option_words(flag, value)]
    write_report("acpc", outcomes, shlex.join(["felt", "acpc", "deal", game, *players, *words]), report, plots)
    _report(outcomes, json=json)
    for written in (report, plots):
        if written is not None and not json:
            print(f"Written to {written}", file=sys.stderr)
    if outcomes[-1].ended:
        raise typer.Exit(EXIT_NOT_FINISHED)


def _rules(game: str, settings: list[str] | None, players: int) -> "GameRules":
    from dataclasses import replace

    from felt.interop.acpc.game import read_acpc_game, write_acpc_game
    from felt.interop.acpc.log import is_limit, stack_of

    rules = load_game(game, settings, players, counted=f"{players} players")
    if not is_limit(rules):
        rules = replace(rules, stack=stack_of(rules))
    # as the players know it: a definition has its own deck for Kuhn's game, and says so where it has no words
    return read_acpc_game(write_acpc_game(rules, players=players), name=rules.name)


def _waiting(host: str, json: bool) -> "Told":
    """Says where players that are to come are waited for."""

    def say(waited: list[tuple[str, int]]) -> None:
        if waited and not json:
            print(*(port for _, port in waited), flush=True)  # as the C dealer does
        for name, port in waited:
            print(f"felt: {name} is waited for at {host} port {port}", file=sys.stderr, flush=True)

    return say


def _ports(text: str) -> list[int]:
    from felt.interop.acpc.wire import port_number

    ports = []
    for port in [word.strip() for word in text.split(",")] if text else []:
        number = port_number(port)
        if number is None:
            raise FeltError(f"--port {text[:80]!r}: {port[:80]!r} is no port; write them like 5000,5001")
        ports.append(number)
    return ports


def _report(outcomes: "list[ContestOutcome]", *, json: bool) -> None:
    from felt.interop.acpc.contest import rates_of

    rates = rates_of(outcomes)
    names = outcomes[0].contest.names
    if json:
        played = [outcome.as_dict() for outcome in outcomes]
        total = [
            {"name": name, "mbb_per_hand": rate.mbb, "ci95": None if rate.ci95 is None else list(rate.ci95)}
            for name, rate in zip(names, rates, strict=True)
        ]
        output.print_json({"players": total, "matches": played, "ended": outcomes[-1].ended})
        return
    for outcome in outcomes:
        for incident in outcome.incidents:
            complain(f"hand {incident['hand']}: {incident['player']}: {incident['fault']}: {incident['line']}")
        for name, count in zip(outcome.contest.names, outcome.counts, strict=True):
            if any(count.values()):
                faults = ", ".join(f"{fault} {times:,}" for fault, times in count.items() if times)
                complain(f"{name} did wrong: {faults}")
        if outcome.ended:
            complain(outcome.ended)
        else:
            print(printable(outcome.score_line()))
    if not rates[0].hands:
        complain("no hand was played to its end, so nobody has won or lost")
        return
    for name, rate in zip(names, rates, strict=True):
        print(printable(f"{name}: {rate}"), file=sys.stderr)


@app.command("join")
def join(
    host: str = argument("HOST", "Where the dealer is."),
    port: int = argument("PORT", "The port of the seat.", port_number),
    agent: str = argument("AGENT", "A name (felt agents), or a file like ./bot.py:Bot."),
    game: str | None = option(
        None, "--game -g", "GAME", "The dealer's game; no-limit hold'em of the competition else."
    ),
    settings: Settings = None,
    seed: int = option(0, "--seed", "N", "Of the agent's dice.", seed_number),
    quiet: bool = option(False, "--quiet -q", "", "Print only what the agent did wrong."),
    json: Json = False,
) -> None:
    """Have an agent play at the table of an ACPC dealer until the match is over.

    Example: `felt acpc join 127.0.0.1 5000 ehs --game holdem.nolimit.2p.reverse_blinds.game`
    """
    from felt.agents import entrant
    from felt.interop.acpc.join import join as join_table

    if not 0 < port < 65536:
        raise FeltError(f"{port} is no port: ports are 1 to 65535")
    rules = None if game is None else load_game(game, settings, None)
    result = join_table(host, port, entrant(agent), rules=rules, seed=seed)
    if json:
        names = ("hands", "chips", "errors", "messages")
        output.print_json({"agent": agent, **{name: getattr(result, name) for name in names}})
        return
    for message in result.messages:
        complain(f"{agent}: {message}")
    if not quiet:
        print(f"{agent}: {result.hands:,} hands, {result.chips:+,} chips")
