"""Faults of the machine that pass: for a while there are no files, memory, threads or room on the disk."""

import os
from errno import EAGAIN, EDQUOT, EIO, EMFILE, ENFILE, ENOBUFS, ENOMEM, ENOSPC, EROFS

from sqlalchemy.exc import InterfaceError, OperationalError

from felt.store.database.db import StoreError

PASSING = frozenset({EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, ENOSPC, EDQUOT, EROFS, EIO})
"""What the system says when it has no more of something, or its disk does not answer."""
_IMPORT_WORDS = tuple(os.strerror(number) for number in (EMFILE, ENFILE, ENOMEM))
_THREAD_WORDS = "can't start new thread"


def is_machine_fault(error: BaseException | None) -> bool:
    """Whether something failed for want of files, memory, threads or disk, and may well work when it is tried again.

    What an error was raised from counts too, since it is often told in other words.

    >>> is_machine_fault(OSError(EMFILE, "Too many open files")), is_machine_fault(ZeroDivisionError())
    (True, False)
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, BaseExceptionGroup) and any(map(is_machine_fault, error.exceptions)):
            return True
        if _is_fault(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _is_fault(error: BaseException) -> bool:
    if isinstance(error, MemoryError | OperationalError | InterfaceError | StoreError):
        return True
    if isinstance(error, OSError):
        return error.errno in PASSING
    if isinstance(error, ImportError):  # a library that could not be opened: its reason is in the text alone
        return any(words in str(error) for words in _IMPORT_WORDS)
    return isinstance(error, RuntimeError) and _THREAD_WORDS in str(error)
