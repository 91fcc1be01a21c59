"""Commands that solve games."""
