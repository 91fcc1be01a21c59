"""`felt pot`: is this call, bet or raise worth it?"""

from typing import Annotated, Any

import typer

from felt.cli import output
from felt.cli.options import Json, count_number, only_one_of, share, whole_number
from felt.errors import FeltError, counted

Chips = int | None


def pot(
    pot: Annotated[
        Chips,
        typer.Option("--pot", metavar="CHIPS", parser=whole_number, help="Chips in the middle before you act."),
    ] = None,
    call: Annotated[
        Chips, typer.Option("--call", metavar="CHIPS", parser=whole_number, help="Chips that you must add to stay in.")
    ] = None,
    bet: Annotated[
        Chips,
        typer.Option("--bet", metavar="CHIPS", parser=whole_number, help="Chips that you bet, nobody having bet."),
    ] = None,
    raise_to: Annotated[
        Chips,
        typer.Option(
            "--raise-to",
            metavar="CHIPS",
            parser=whole_number,
            help="Your total for the street if you raise, with --call.",
        ),
    ] = None,
    in_front: Annotated[
        int,
        typer.Option(
            "--in-front", metavar="CHIPS", parser=whole_number, help="Your chips on this street before the raise."
        ),
    ] = 0,
    equity: Annotated[
        float | None,
        typer.Option("--equity", metavar="SHARE", parser=share, help="Your share of the pot when called: 0.3 or 30%."),
    ] = None,
    outs: Annotated[
        int | None, typer.Option("--outs", metavar="N", parser=whole_number, help="Cards that make your hand.")
    ] = None,
    to_come: Annotated[
        int,
        typer.Option(
            "--to-come", metavar="N", parser=count_number, help="Cards to come: 2 on the flop, 1 on the turn."
        ),
    ] = 2,
    fold: Annotated[
        float | None,
        typer.Option("--fold", metavar="SHARE", parser=share, help="How often all others fold to your bet or raise."),
    ] = None,
    rake: Annotated[
        float, typer.Option("--rake", metavar="SHARE", parser=share, help="Share of the pot that the house takes.")
    ] = 0.0,
    rake_cap: Annotated[
        Chips, typer.Option("--rake-cap", metavar="CHIPS", parser=whole_number, help="The most that the house takes.")
    ] = None,
    json: Json = False,
) -> None:
    """Pot odds, expected value, fold equity, implied odds and outs of one decision.

    Values are in chips and compared with folding. With `--outs` and no `--equity`, the chance that the next card
    is an out is taken as your equity.

    Example: `felt pot --pot 150 --call 50 --equity 30%`

    Example: `felt pot --pot 100 --bet 75 --fold 0.4 --outs 9`
    """
    only_one_of(call=call, bet=bet)
    only_one_of(bet=bet, raise_to=raise_to)
    if raise_to is not None and call is None:
        raise FeltError(f"--raise-to {raise_to} raises nothing: give --call, or --bet when nobody has bet")
    if call is None and bet is None and outs is None:
        raise FeltError("nothing to work out: give --pot with --call or --bet, or give --outs")
    if pot is None and (call is not None or bet is not None):
        raise FeltError("--pot is missing: give the chips in the middle before you act")
    found: dict[str, Any] = {}
    if outs is not None:
        found["outs"] = _outs(outs, to_come)
        equity = found["outs"]["next_card"] if equity is None else equity
    money = {"rake": rake, "rake_cap": rake_cap}
    if pot is not None and call is not None:
        found["call"] = _call(pot, call, equity, money)
        if raise_to is not None:
            found["raise"] = _raise(pot, call, raise_to, in_front, equity or 0.0, fold, money)
    if pot is not None and bet is not None:
        found["bet"] = _bet(pot, bet, equity or 0.0, fold, money)
    if json:
        output.print_json(found)
    else:
        output.facts(_rows(found))


def _outs(outs: int, to_come: int) -> dict[str, float]:
    from felt.odds.outs import draw_chances

    chances = draw_chances(outs=outs, to_come=to_come)
    return {
        "outs": outs,
        "to_come": to_come,
        "next_card": chances.next_card,
        "by_river": chances.by_river,
        "rule_next_card": chances.rule_next_card,
        "rule_by_river": chances.rule_by_river,
    }


def _call(pot: int, call: int, equity: float | None, money: dict[str, Any]) -> dict[str, float]:
    from felt.odds import decisions

    odds = decisions.pot_odds(pot=pot, call=call)
    found = {
        "ratio": odds.ratio,
        "fraction": odds.fraction,
        "required_equity": decisions.required_equity(pot=pot, call=call, **money),
    }
    if equity is not None:
        found |= {
            "equity": equity,
            "ev": decisions.ev_call(pot=pot, call=call, equity=equity, **money),
            "implied_odds": decisions.implied_odds(pot=pot, call=call, equity=equity, **money),
            "reverse_implied_odds": decisions.reverse_implied_odds(pot=pot, call=call, equity=equity, **money),
        }
    return found


def _bet(pot: int, bet: int, equity: float, fold: float | None, money: dict[str, Any]) -> dict[str, float]:
    from felt.odds import decisions

    found = {
        "alpha": decisions.alpha(pot=pot, bet=bet),
        "minimum_defence": decisions.minimum_defence(pot=pot, bet=bet),
        "bluff_share": decisions.bluff_share(pot=pot, bet=bet),
        "equity": equity,
        "required_fold_equity": decisions.required_fold_equity(pot=pot, bet=bet, equity=equity, **money),
    }
    if fold is not None:
        found |= {"fold": fold, "ev": decisions.ev_bet(pot=pot, bet=bet, fold=fold, equity=equity, **money)}
    return found


def _raise(
    pot: int, call: int, raise_to: int, in_front: int, equity: float, fold: float | None, money: dict[str, Any]
) -> dict[str, float]:
    from felt.odds import decisions

    needed = decisions.required_fold_equity(pot=pot, bet=raise_to - in_front, call=call, equity=equity, **money)
    found = {"raise_to": raise_to, "equity": equity, "required_fold_equity": needed}
    if fold is not None:
        ev = decisions.ev_raise(
            pot=pot, call=call, raise_to=raise_to, in_front=in_front, fold=fold, equity=equity, **money
        )
        found |= {"fold": fold, "ev": ev}
    return found


def _rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    if "outs" in found:
        rows += _outs_rows(found["outs"])
    if "call" in found:
        rows += _call_rows(found["call"])
    for action in ("raise", "bet"):
        if action in found:
            rows += _pressure_rows(action, found[action])
    return rows


def _outs_rows(outs: dict[str, float]) -> list[tuple[str, str]]:
    percent = output.percent
    rows = [
        (
            f"{counted(int(outs['outs']), 'out')}, next card",
            f"{percent(outs['next_card'])} (rule of 2: {percent(outs['rule_next_card'], 0)})",
        )
    ]
    if outs["to_come"] == 2:
        rows.append(("by the river", f"{percent(outs['by_river'])} (rule of 4: {percent(outs['rule_by_river'], 0)})"))
    return rows


def _call_rows(call: dict[str, float]) -> list[tuple[str, str]]:
    rows = [
        ("pot odds", f"{call['ratio']:.4g}:1"),
        ("equity needed", output.percent(call["required_equity"])),
    ]
    if "ev" not in call:
        return rows
    rows += [("equity", output.percent(call["equity"])), ("EV of the call", _ev(call["ev"]))]
    if call["ev"] < 0:
        rows.append(("to win later", f"{output.chips(call['implied_odds'])} on average when you win, to break even"))
    elif call["ev"] > 0 and call["equity"] < 1:
        rows.append(("can lose later", f"{output.chips(call['reverse_implied_odds'])} on average when you lose"))
    return rows


def _pressure_rows(action: str, bet: dict[str, float]) -> list[tuple[str, str]]:
    rows = []
    if "alpha" in bet:
        rows += [
            ("a pure bluff works if", f"all fold {output.percent(bet['alpha'])} of the time (alpha)"),
            ("minimum defence", f"{output.percent(bet['minimum_defence'])} of hands must not fold"),
            ("balanced bluffs", f"{output.percent(bet['bluff_share'])} of the bets on the river"),
        ]
    needed = bet["required_fold_equity"]
    rows.append(
        (
            f"this {action} works if",
            f"all fold {output.percent(needed)} of the time, with {output.percent(bet['equity'])} equity when called"
            if needed <= 1
            else "never: the rake takes it",
        )
    )
    if "ev" in bet:
        rows.append((f"EV of the {action}", _ev(bet["ev"])))
    return rows


def _ev(ev: float) -> str:
    sign, style = ("+", "green") if ev > 0 else ("", "red" if ev < 0 else "")
    shown = f"{sign}{output.chips(ev)} chips"
    return f"[{style}]{shown}[/]" if style else shown
