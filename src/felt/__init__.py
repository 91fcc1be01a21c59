"""Felt: an open laboratory for poker."""

__version__ = "0.1.0"
