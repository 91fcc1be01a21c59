"""The engine: the record of a hand in play, and the kernels that hold every rule of poker. Begin with `kernels`."""
