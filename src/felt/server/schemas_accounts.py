"""What goes over the wire about accounts."""

from typing import Annotated

from pydantic import Field

from felt.server.schemas import Asked, Name

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
