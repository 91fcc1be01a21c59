"""A program that calls, and at times does what it must not: ``bad.py WHAT [EVERY [HELLO…]]``.

It does so where the number that goes with a question can be divided by EVERY: at the same decisions in every match.
"""

import json
import os
import subprocess
import sys
import time

WHAT = sys.argv[1]
EVERY = int(sys.argv[2]) if len(sys.argv) > 2 else 1
MORE = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}


def say(text):
    os.write(1, text.encode() if isinstance(text, str) else text)


def misbehave(asked, good):
    number = asked["id"]
    if WHAT == "hang":
        time.sleep(600)
    elif WHAT == "family":
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
        time.sleep(600)
    elif WHAT == "flood":
        say((json.dumps(good) + "\n") * 50)
    elif WHAT == "again":
        say(json.dumps(good) + "\n")
        time.sleep(0.005)
        say(json.dumps(good) + "\n")
    elif WHAT == "repeat":
        while True:
            say((json.dumps(good) + "\n") * 1000)
    elif WHAT == "after":
        say(json.dumps(good) + "\n")
        time.sleep(0.05)
        while True:
            say("x" * 60_000)
    elif WHAT == "cards":
        held = "Ks" if "As" in asked["own"] else "As"
        say(json.dumps({**good, "cards": held} if good["move"] == "exchange" else good) + "\n")
    elif WHAT == "endless":
        while True:
            say("x" * 60_000)
    elif WHAT == "garbage":
        say("I think that I call\n")
    elif WHAT == "seat":
        say(json.dumps({**good, "seat": 1 - asked["seat"]}) + "\n")
    elif WHAT == "other":
        say(json.dumps({**good, "id": number + 100_000}) + "\n")
    elif WHAT == "move":
        say(json.dumps({"id": number, "move": "think"}) + "\n")
    elif WHAT == "amount":
        say(json.dumps({"id": number, "move": "raise", "amount": 10**9}) + "\n")
    elif WHAT == "exit":
        sys.stderr.write("warming up\nno more cards for me\n")
        sys.exit(3)
    elif WHAT == "colours":
        sys.stderr.write("\x1b[2Jfirst\n\x1b[31mred\x07\n")
        sys.exit(5)
    elif WHAT == "kill":
        os.kill(os.getpid(), 9)
    elif WHAT == "close":
        os.close(1)
        time.sleep(600)
    elif WHAT == "child":
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
        os._exit(4)


for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        say(json.dumps({"type": "hello", "protocol": 1, "name": WHAT, "remembers": False, **MORE}) + "\n")
    elif asked["type"] == "act":
        legal = asked["view"]["legal"]
        good = {"id": asked["id"], "move": "exchange" if legal["exchange"] else "call"}
        if asked["dice"] % EVERY == 0 and WHAT != "good":
            misbehave(asked, good)
            if WHAT in ("hang", "endless", "exit", "kill", "close", "child"):
                break
        else:
            say(json.dumps(good) + "\n")
