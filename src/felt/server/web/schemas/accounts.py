"""What goes over the wire about accounts."""

from typing import Annotated

from pydantic import Field

from felt.server.web.schemas.hands import HandTold
from felt.server.web.schemas.tables import Asked, Me, Name, Schema

NewPassword = Annotated[str, Field(min_length=8, max_length=200, examples=["correct horse battery staple"])]
Password = Annotated[str, Field(max_length=200)]


class RegisterAsked(Asked):
    name: Name
    password: NewPassword


class LoginAsked(Asked):
    name: Annotated[str, Field(max_length=200, examples=["Ada"])]
    password: Password


class PasswordAsked(Asked):
    old: Password
    new: NewPassword


class NameAsked(Asked):
    name: Name


class ConfirmAsked(Asked):
    """What only whose account it is can do, with the password again."""

    password: Password


class RecoverAsked(Asked):
    name: Annotated[str, Field(max_length=200, examples=["Ada"])]
    code: Annotated[str, Field(max_length=100, examples=["7KQD-M2XA-90TF-4VRB-8HCE"])]
    new: NewPassword


Code = Annotated[str, Field(description="Lets its owner in once, without the password; it is not shown again")]


class RecoveryTold(Schema):
    recovery_code: Code


class MeWithCode(Me):
    recovery_code: Code


class AccountTold(Schema):
    id: str
    name: str
    guest: bool
    since: Annotated[str, Field(description="In UTC", examples=["2026-11-15T19:48:48Z"])]
    recovery_code: Annotated[bool, Field(description="Whether there is a code for a lost password")]


class ExportedMove(Schema):
    seat: int
    street: int
    move: Annotated[str, Field(examples=["fold", "call", "raise", "exchange"])]
    amount: Annotated[int, Field(description="Of a raise: the seat's total for the street")]
    cards: Annotated[list[str], Field(description="Of an exchange: those given away, where they are the caller's")]


class ExportedHand(Schema):
    hand: HandTold
    moves: list[ExportedMove]
    phh: Annotated[str | None, Field(description="The hand as PHH; null where PHH has no words for the game")]


class SessionTold(Schema):
    since: str


class Exported(Schema):
    """All that is kept of a player: the account, the browsers that are let in, and every hand, newest first."""

    account: AccountTold
    sessions: list[SessionTold]
    hands: list[ExportedHand]
