"""Accounts, passwords and names of people. Begin with `accounts`."""
