"""Passwords, kept as Argon2 hashes, which are computed in threads of their own: each takes a while, on purpose."""

import asyncio
import secrets
import unicodedata
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32."""
CODE_LENGTH = 20
THREADS = 2
"""Hashes computed at a time, each with its own memory."""


class Passwords:
    """Makes hashes and compares with them; tests bring a quicker hasher."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        # 64 MiB and three passes, as RFC 9106 (section 4) has it for less memory; one lane, for one thread
        self._hasher = hasher or PasswordHasher(time_cost=3, memory_cost=65536, parallelism=1)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="felt-password")
        self._nobodys = self._threads.submit(self._hasher.hash, secrets.token_hex())

    async def hashed(self, password: str) -> str:
        """What is kept of a password."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._hasher.hash, _same(password))

    async def right(self, password: str, stored: str | None) -> bool:
        """Whether the password is the one that was kept; where none was, that is found out no sooner."""
        loop = asyncio.get_running_loop()
        kept_or_nobodys = stored if stored is not None else await asyncio.wrap_future(self._nobodys)
        return await loop.run_in_executor(self._threads, self._verify, kept_or_nobodys, _same(password))

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _verify(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False


def new_code() -> str:
    """A code for a lost password, of 100 random bits, to be written down: no letter looks like another or a digit.

    >>> len(new_code()), new_code() != new_code()
    (24, True)
    """
    letters = [secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)]
    return "-".join("".join(letters[at : at + 4]) for at in range(0, CODE_LENGTH, 4))


def same_code(code: str) -> str:
    """One text for what people make of a code when they type it.

    >>> same_code(" 7kqd m2xa-9Ol1")
    '7KQDM2XA9011'
    """
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    return plain.replace("O", "0").replace("I", "1").replace("L", "1")


def _same(password: str) -> str:
    """One text for what keyboards write in several ways."""
    return unicodedata.normalize("NFC", password)
