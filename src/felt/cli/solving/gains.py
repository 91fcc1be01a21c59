"""What the best answers to a strategy gain, where the whole tree is too large to measure it: within intervals."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from felt.solvers.sampling.betting import PublicTree
    from felt.solvers.sampling.gains import SampledGains

WORK = 50_000_000
"""Places of the betting, for each player and deal, that are looked at: some seconds."""

LEAST, MOST = 100, 20_000
"""Deals that are looked at, whatever the size of the betting."""


def gains_by_deals(
    tree: "PublicTree", chances: Any, deals: int | None = None, *, memory: float | None = None
) -> "SampledGains":
    """Gains from sampled deals: so many, or as many as take some seconds."""
    from felt.solvers.memory import MEMORY
    from felt.solvers.sampling.gains import sampled_gains

    fit = WORK // (len(tree.player) * tree.infosets.players)
    count = min(max(fit, LEAST), MOST) if deals is None else deals
    return sampled_gains(tree, chances, deals=count, memory=MEMORY if memory is None else memory)


def gains_as_dict(gains: "SampledGains | None") -> dict[str, Any]:
    """For JSON, in place of what was not measured."""
    data: dict[str, Any] = {"exploitability": None, "values": None, "gains": None}
    if gains is not None:
        data |= {"gains_low": list(gains.low), "gains_high": list(gains.high), "deals_looked_at": gains.deals}
    return data


def gains_rows(data: dict[str, Any]) -> list[tuple[str, str]]:
    """For people: the interval of each seat, and what it is."""
    rows = [("exploitability", "not measured: the whole tree is too large")]
    if "gains_low" in data:
        pairs = zip(data["gains_low"], data["gains_high"], strict=True)
        rows.append(("gains by leaving", ", ".join(f"{low:.3g} to {high:.3g}" for low, high in pairs)))
        rows.append(("", f"intervals from {data['deals_looked_at']:,} sampled deals, each right with 95 %"))
    return rows
