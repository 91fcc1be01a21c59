"""Matches and leagues. `spec` says what a match is and who sits where, `run` plays it and keeps its books.

`hands` plays its tasks in a worker, `result` has the rates, and `league` is for several matches.
"""
