"""What learners and models see: a view or a hand as named numbers, and the moves as a menu.

Read `observation` first: its `Layout` turns a view into a row of numbers with named parts. `menu` numbers the moves of
a game.
"""

from felt.features.menu import Menu
from felt.features.observation import History, Layout

__all__ = ["History", "Layout", "Menu"]
