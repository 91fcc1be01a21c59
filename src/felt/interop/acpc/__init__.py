"""The Annual Computer Poker Competition: game files, logs, the protocol, a dealer and a player. Begin with `hand`."""
