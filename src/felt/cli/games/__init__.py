"""Commands about games, and a table in the terminal."""
