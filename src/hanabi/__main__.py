"""Run the command line: `python -m hanabi`."""

from __future__ import annotations

import sys

from hanabi.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
