"""The `felt` command: options and text, no poker. Read `app` first; it has the list of commands."""
