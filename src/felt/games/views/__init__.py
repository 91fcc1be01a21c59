"""What a seat, a spectator or a log may see of a hand. Begin with `view`."""
