"""The Poker Hand History format (PHH), read and written. Begin with `reader`."""

from felt.interop.phh.reader import read_phh
from felt.interop.phh.writer import write_phh

__all__ = ["read_phh", "write_phh"]
