"""Commands that play: matches, leagues, tournaments and the like."""
