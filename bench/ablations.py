"""What the full player's ingredients are worth: ``python -m bench.ablations``.

The same as ``python -m bench.ladder ablations``.
"""

import sys

from bench.ladder import command
from server.command_line import main

if __name__ == "__main__":
    main(command(["ablations", *sys.argv[1:]]))
