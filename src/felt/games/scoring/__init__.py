"""Custom scoring: formulas of a game, read, checked and compiled. Begin with `formulas`."""
