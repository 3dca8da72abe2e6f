"""Draw the README's picture: run a search and keep what the terminal shows as an SVG file.

pip install rich && python docs/picture.py
"""

import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console

COMMAND = "search ewn:setup=fixed --player star2 --time 3"


def main() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "astragal", *COMMAND.split()], capture_output=True, text=True, check=True
    )
    console = Console(record=True, width=110, file=sys.stdout, highlight=False)
    console.print(f"[bold]$ astragal {COMMAND}[/bold]")
    console.print(done.stdout.rstrip(), markup=False)
    drawing = re.sub(
        r"@font-face \{.*?\}", "", console.export_svg(title="astragal"), flags=re.DOTALL
    )  # no fonts fetched
    Path(__file__).with_name("search.svg").write_text(sized(drawing), encoding="utf-8")


def sized(drawing: str) -> str:
    """The drawing with its size as attributes; without them it would shrink beside another picture."""
    return re.sub(r'viewBox="0 0 (\d+) (\d+)[\d.]*"', r'width="\1" height="\2" \g<0>', drawing, count=1)


if __name__ == "__main__":
    main()
