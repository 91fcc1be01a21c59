"""Commands about recorded hands and logs: `log`, `stats`, `replay`, `convert`."""
