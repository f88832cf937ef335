"""The command line: `python -m tumble check a.stl b.stl` runs the command `tumble`, which comes with the package."""

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the command, with this program's arguments."""
    command = Path(__file__).with_name("bin") / "tumble"
    if not command.exists():
        sys.exit(f"tumble: the command is missing, {command}: install the package with pip")
    sys.stdout.flush()
    os.execv(command, ["tumble", *sys.argv[1:]])


if __name__ == "__main__":
    main()
