#!/usr/bin/env python3
"""An engine in ten lines: it plays at random, in any game, because `go` lists the legal actions.

astragal match pig uct "engine:python examples/random_engine.py" --games 20
"""

import random
import sys

for line in sys.stdin:
    words = line.split()
    if words[0] == "quit":
        break
    if words[0] == "go":
        print("best", random.choice(words[words.index("actions") + 1 :]), flush=True)
    elif words[0] != "stop":
        print("ok", flush=True)
