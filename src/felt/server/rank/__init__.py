"""The hand-rank server: ranks and strengths over TCP. Begin with `server`."""
