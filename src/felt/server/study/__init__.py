"""Hands that are over: replayed, with odds and statistics. Begin with `study`."""
