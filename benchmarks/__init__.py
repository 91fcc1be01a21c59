"""Felt beside other libraries, in one run: ``make bench``, or ``python -m benchmarks --help``."""
