"""Felt: an open laboratory for poker."""

from felt import _moved

__version__ = "0.1.0"

_moved.install()
