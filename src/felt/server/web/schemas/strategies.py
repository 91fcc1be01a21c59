"""What goes over the wire about strategies."""

from felt.server.schemas import Told


class StrategyTold(Told):
    name: str
    agent: str
    game: str
    players: int
    origin: str
    added: str
