"""What goes over the wire about strategies."""

from felt.server.web.schemas.tables import Schema


class StrategyTold(Schema):
    name: str
    agent: str
    game: str
    players: int
    origin: str
    added: str
