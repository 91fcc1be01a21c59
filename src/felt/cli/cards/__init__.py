"""Commands about cards, ranges and odds."""
