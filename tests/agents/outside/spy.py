"""A program that says that it remembers nothing, and writes down every board with its own cards: ``spy.py FOLDER``.

One file for each process: who finds a board there with several hands knows those of others.
"""

import json
import os
import sys

with open(f"{sys.argv[1]}/{os.getpid()}", "w") as notes:  # noqa: PTH123 - it starts sooner so
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "hello":
            print('{"type":"hello","protocol":1,"name":"spy","remembers":false}', flush=True)
        elif asked["type"] == "act":
            if len(asked["view"]["board"]) == 10:
                notes.write(f"{asked['view']['board']} {asked['own']}\n")
                notes.flush()
            print(json.dumps({"id": asked["id"], "move": "call"}), flush=True)
