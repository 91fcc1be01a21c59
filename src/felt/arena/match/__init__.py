"""Matches and leagues. `spec` says what a match is, `run` plays it, and `hands` plays its tasks in a worker.

`seating` decides who sits where, `ledger` keeps the books, `result` has the rates; `several` is for several matches.
"""
