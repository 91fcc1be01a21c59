"""One's own data in a form that other programs read."""

from felt.errors import FeltError
from felt.server.study.downloads import as_phh
from felt.server.study.replays import Replay, in_utc
from felt.server.tables.settings import TableError
from felt.server.tables.viewer_state import cards_told
from felt.server.web.schemas.accounts import AccountTold, ExportedHand, ExportedMove
from felt.store.accounts.players import Players
from felt.store.database.hands import FinishedHand
from felt.store.database.values import Player


def account_told(players: Players, player: Player) -> AccountTold:
    """What is known of a player beside their hands."""
    account, since = players.account_of(player.id), players.since(player.id)
    if since is None:
        raise TableError("no_session", "you have no session here: begin one first")
    return AccountTold(
        id=player.id,
        name=player.name,
        guest=player.guest,
        since=in_utc(account.created if account else since),
        recovery_code=account is not None and account.recovery_hash is not None,
    )


def exported_hand(past: FinishedHand, player: str) -> ExportedHand:
    """A hand as a player saw it."""
    replayed = Replay(past, player)
    own = past.seat_of(player)
    moves = [
        ExportedMove(
            seat=seat,
            street=street,
            move=action.move.name.lower(),
            amount=action.amount,
            cards=cards_told(action.cards) if seat == own else [],
        )
        for seat, street, action in replayed.table.moves
    ]
    try:
        phh = as_phh(past, replayed, everything=False)
    except FeltError:  # PHH has words for some games only
        phh = None
    return ExportedHand(hand=replayed.summary(), moves=moves, phh=phh)
