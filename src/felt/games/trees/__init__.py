"""The betting tree of a game: its branches, and how many there are. Begin with `tree`."""
