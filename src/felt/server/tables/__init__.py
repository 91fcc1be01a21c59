"""Live tables: people and agents, a clock, a log. Begin with `table`."""
