"""`felt pot`: is this call, bet or raise worth it?"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from felt.cli import output
from felt.cli.options import Json, count_number, only_one_of, option, share, whole_number
from felt.errors import FeltError, counted

Chips = int | None


def pot(
    pot: Chips = option(None, "--pot", "CHIPS", "Chips in the middle before you act.", whole_number),
    call: Chips = option(None, "--call", "CHIPS", "Chips that you must add to stay in.", whole_number),
    bet: Chips = option(None, "--bet", "CHIPS", "Chips that you bet, nobody having bet.", whole_number),
    raise_to: Chips = option(
        None, "--raise-to", "CHIPS", "Your total for the street if you raise, with --call.", whole_number
    ),
    in_front: int = option(0, "--in-front", "CHIPS", "Your chips on this street before the raise.", whole_number),
    equity: float | None = option(None, "--equity", "SHARE", "Your share of the pot when called: 0.3 or 30%.", share),
    outs: int | None = option(None, "--outs", "N", "Cards that make your hand.", whole_number),
    to_come: int = option(2, "--to-come", "N", "Cards to come: 2 on the flop, 1 on the turn.", count_number),
    fold: float | None = option(None, "--fold", "SHARE", "How often all others fold to your bet or raise.", share),
    rake: float = option(0.0, "--rake", "SHARE", "Share of the pot that the house takes.", share),
    rake_cap: Chips = option(None, "--rake-cap", "CHIPS", "The most that the house takes.", whole_number),
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
    figures: dict[str, Any] = {}
    if outs is not None:
        from felt.odds.outs import draw_chances

        figures["outs"] = {"outs": outs, "to_come": to_come, **asdict(draw_chances(outs=outs, to_come=to_come))}
        equity = figures["outs"]["next_card"] if equity is None else equity
    money = {"rake": rake, "rake_cap": rake_cap}
    if pot is not None and call is not None:
        figures["call"] = _call(pot, call, equity, money)
        if raise_to is not None:
            figures["raise"] = _raise(pot, call, raise_to, in_front, equity or 0.0, fold, money)
    if pot is not None and bet is not None:
        figures["bet"] = _bet(pot, bet, equity or 0.0, fold, money)
    if json:
        output.print_json(figures)
    else:
        output.facts(_rows(figures))


def _call(pot: int, call: int, equity: float | None, money: dict[str, Any]) -> dict[str, float]:
    from felt.odds import decisions

    odds = decisions.pot_odds(pot=pot, call=call)
    figures = {
        "ratio": odds.ratio,
        "fraction": odds.fraction,
        "required_equity": decisions.required_equity(pot=pot, call=call, **money),
    }
    if equity is not None:
        figures |= {
            "equity": equity,
            "ev": decisions.ev_call(pot=pot, call=call, equity=equity, **money),
            "implied_odds": decisions.implied_odds(pot=pot, call=call, equity=equity, **money),
            "reverse_implied_odds": decisions.reverse_implied_odds(pot=pot, call=call, equity=equity, **money),
        }
    return figures


def _bet(pot: int, bet: int, equity: float, fold: float | None, money: dict[str, Any]) -> dict[str, float]:
    from felt.odds import decisions

    figures = {
        "alpha": decisions.alpha(pot=pot, bet=bet),
        "minimum_defence": decisions.minimum_defence(pot=pot, bet=bet),
        "bluff_share": decisions.bluff_share(pot=pot, bet=bet),
        "equity": equity,
        "required_fold_equity": decisions.required_fold_equity(pot=pot, bet=bet, equity=equity, **money),
    }
    if fold is not None:
        figures |= {"fold": fold, "ev": decisions.ev_bet(pot=pot, bet=bet, fold=fold, equity=equity, **money)}
    return figures


def _raise(
    pot: int, call: int, raise_to: int, in_front: int, equity: float, fold: float | None, money: dict[str, Any]
) -> dict[str, float]:
    from felt.odds import decisions

    needed = decisions.required_fold_equity(pot=pot, bet=raise_to - in_front, call=call, equity=equity, **money)
    figures = {"raise_to": raise_to, "equity": equity, "required_fold_equity": needed}
    if fold is not None:
        ev = decisions.ev_raise(
            pot=pot, call=call, raise_to=raise_to, in_front=in_front, fold=fold, equity=equity, **money
        )
        figures |= {"fold": fold, "ev": ev}
    return figures


def _rows(figures: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if outs := figures.get("outs"):
        percent = output.percent
        by_rule = f"{percent(outs['next_card'])} (rule of 2: {percent(outs['rule_next_card'], 0)})"
        yield f"{counted(outs['outs'], 'out')}, next card", by_rule
        if outs["to_come"] == 2:
            yield "by the river", f"{percent(outs['by_river'])} (rule of 4: {percent(outs['rule_by_river'], 0)})"
    if "call" in figures:
        yield from _call_rows(figures["call"])
    for action in ("raise", "bet"):
        if action in figures:
            yield from _pressure_rows(action, figures[action])


def _call_rows(call: dict[str, float]) -> Iterator[tuple[str, str]]:
    yield "pot odds", f"{call['ratio']:.4g}:1"
    yield "equity needed", output.percent(call["required_equity"])
    if "ev" not in call:
        return
    yield "equity", output.percent(call["equity"])
    yield "EV of the call", _ev(call["ev"])
    if call["ev"] < 0:
        yield "to win later", f"{output.chips(call['implied_odds'])} on average when you win, to break even"
    elif call["ev"] > 0 and call["equity"] < 1:
        yield "can lose later", f"{output.chips(call['reverse_implied_odds'])} on average when you lose"


def _pressure_rows(action: str, bet: dict[str, float]) -> Iterator[tuple[str, str]]:
    percent = output.percent
    if "alpha" in bet:
        yield "a pure bluff works if", f"all fold {percent(bet['alpha'])} of the time (alpha)"
        yield "minimum defence", f"{percent(bet['minimum_defence'])} of hands must not fold"
        yield "balanced bluffs", f"{percent(bet['bluff_share'])} of the bets on the river"
    works = "never: the rake takes it"
    if bet["required_fold_equity"] <= 1:
        folds = percent(bet["required_fold_equity"])
        works = f"all fold {folds} of the time, with {percent(bet['equity'])} equity when called"
    yield f"this {action} works if", works
    if "ev" in bet:
        yield f"EV of the {action}", _ev(bet["ev"])


def _ev(ev: float) -> str:
    sign, style = ("+", "green") if ev > 0 else ("", "red" if ev < 0 else "")
    shown = f"{sign}{output.chips(ev)} chips"
    return f"[{style}]{shown}[/]" if style else shown
