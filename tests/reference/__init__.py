"""Slow, obvious twins of the fast code: written from the rules alone, importing nothing from felt."""
