"""Commands that serve, and the tour."""
