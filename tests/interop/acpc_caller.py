"""An ACPC player that calls, heads-up: ``python -m tests.interop.acpc_caller HOST PORT``."""

import sys

from tests.interop.acpc_players import play, with_action

if __name__ == "__main__":
    play(int(sys.argv[2]), with_action("c"))
