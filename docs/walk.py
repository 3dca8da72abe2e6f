"""Print which files run, and in which order, from a command to its result: `python docs/walk.py`.

Two walks. The first follows Python with a warm cache: the files that run for one search and for one match, the calls
between files, those that go from a lower room to a higher one, and the cycles. Calls made while a module is imported
are left out, and machine code is not seen. The second runs the kernels of star2ss in Python and follows the way from
the root to a leaf: the files and the lines of the functions on it, and with all that they call.

Rooms import downwards only, so what is called upwards is a method of an object that was handed down: a game's or a
variant's own, the check of a settings record, a report of progress.

    python docs/walk.py            both walks, as a summary
    python docs/walk.py --files    with every file in the order of its first call
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

PACKAGE = Path(__import__("astragal").__file__).parent
SEARCH = ["search", "ewn", "--player", "star2ss", "--nodes", "2000"]
MATCH = ["match", "ewn", "star2", "uct", "--nodes", "2000", "--games", "2", "--jobs", "1", "--db", "none"]
UPWARDS = {"a game"}  # the room whose methods lower rooms call: a game's own

Call = tuple[str, str]  # from which file to which


class Walk:
    """The files of the package that run between two points, and the calls between them."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.calls: dict[Call, set[str]] = {}  # with the functions that are called
        self.functions: dict[CodeType, str] = {}

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not (file := file_of(frame.f_code)) or frame.f_code.co_name == "<module>":
            return
        if is_imported(frame):
            return
        caller = frame.f_back
        while caller and not file_of(caller.f_code):
            caller = caller.f_back
        if caller and caller.f_code.co_name in ("<module>", *class_bodies(caller)):
            return
        if file not in self.files:
            self.files.append(file)
        self.functions[frame.f_code] = file
        if caller and (source := file_of(caller.f_code)) != file:
            self.calls.setdefault((source, file), set()).add(frame.f_code.co_qualname)


def is_imported(frame: FrameType) -> bool:
    """Whether a module is being imported, however far up."""
    above = frame.f_back
    while above:
        if "importlib" in above.f_code.co_filename:
            return True
        above = above.f_back
    return False


def class_bodies(frame: FrameType) -> Iterator[str]:
    """The frame's name, if it runs the body of a class: such a body keeps its qualified name in a variable."""
    if "__qualname__" in frame.f_locals and "__module__" in frame.f_locals:
        yield frame.f_code.co_name


def file_of(code: CodeType) -> str:
    """The path below the package of the file that has this code; nothing for any other."""
    path = code.co_filename
    return path[len(str(PACKAGE)) + 1 :] if path.startswith(str(PACKAGE) + os.sep) else ""


@contextlib.contextmanager
def followed(walk: Walk) -> Iterator[None]:
    threading.setprofile(walk)
    sys.setprofile(walk)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


def quietly(arguments: list[str]) -> None:
    """Run a command of the package, without its output."""
    from astragal.cli import main

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        old, sys.argv = sys.argv, ["astragal", *arguments]
        try:
            main()
        except SystemExit as end:
            if end.code:
                raise RuntimeError(f"astragal {' '.join(arguments)} ended with {end.code}") from None
        finally:
            sys.argv = old


def rooms() -> list[str]:
    from test_layers import LAYERS

    return list(LAYERS)


def room_of(file: str) -> str:
    from test_layers import layer_of

    return layer_of(tuple(Path(file).with_suffix("").parts)) or "the public face"


def upwards(walk: Walk) -> list[Call]:
    """Calls from a lower room into a higher one that are not calls of a game's own methods."""
    order = {room: place for place, room in enumerate(rooms())}
    order["the public face"] = len(order)
    return [
        (a, b)
        for a, b in walk.calls
        if order[room_of(a)] < order[room_of(b)] and room_of(b) not in UPWARDS and room_of(a) not in UPWARDS
    ]


def cycles(calls: list[Call]) -> list[list[str]]:
    """Groups of files that call each other round and round (Tarjan's strongly connected components)."""
    following: dict[str, list[str]] = {}
    for a, b in calls:
        following.setdefault(a, []).append(b)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(file: str) -> None:
        index[file] = low[file] = len(index)
        stack.append(file)
        for other in following.get(file, []):
            if other not in index:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], index[other])
        if low[file] == index[file]:
            group = []
            while not group or group[-1] != file:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    for file in list(following):
        if file not in index:
            visit(file)
    return found


def python_walk(arguments: list[str], show_files: bool) -> None:
    subprocess.run([sys.executable, "-m", "astragal", *arguments], check=True, capture_output=True)  # compile
    walk = Walk()
    with followed(walk):
        quietly(arguments)
    games = {file for file in walk.files if room_of(file) in UPWARDS}
    between = [(a, b) for a, b in walk.calls if a not in games and b not in games]
    print(f"astragal {' '.join(arguments)}")
    print(f"  {len(walk.files)} files, {len(walk.functions)} functions, {len(walk.calls)} pairs of files that call")
    for a, b in upwards(walk):
        print(f"  upwards: {a} -> {b} ({', '.join(sorted(walk.calls[a, b]))})")
    for group in cycles(between):
        print(f"  cycle: {', '.join(group)}")
    if show_files:
        for file in walk.files:
            print(f"    {file}")


LEAVES = ("leaf_after_outcome", "mean_leaf")  # of `algorithms/star/nodes.py`: what is evaluated ends here


def node_walk(search: Callable[[], object], show_files: bool) -> None:
    """Run the kernels in Python, and list the functions below the kernel of the root, without those of games.

    First those that lead from the root to a leaf, that is, those on the stack when a leaf is evaluated; then with all
    that they call on the way.
    """
    way: dict[CodeType, None] = {}
    found: dict[CodeType, None] = {}
    stack: list[CodeType] = []

    def follow(frame: FrameType, event: str, _: Any) -> None:
        # to depth 0 the kernel of the root only follows the best line
        root = frame.f_code.co_name == "root_values" and frame.f_locals["depth"] > 0
        if event == "call" and (stack or root):
            stack.append(frame.f_code)
            if is_search(frame.f_code):
                found.setdefault(frame.f_code)
            if frame.f_code.co_name in LEAVES:
                way.update(dict.fromkeys(filter(is_search, stack)))
        elif event == "return" and stack:
            stack.pop()

    sys.setprofile(follow)
    try:
        search()
    finally:
        sys.setprofile(None)
    print("star2ss, from the root to a leaf, without functions of games, states and numbers")
    for name, codes in (("on the way", way), ("with all that they call", found)):
        named = [code for code in codes if not code.co_name.startswith("<")]
        files = list(dict.fromkeys(file_of(code) for code in named))
        lines = sum(len(inspect.getsource(code).splitlines()) for code in named)
        print(f"  {name}: {len(files)} files, {len(named)} functions, {lines} lines")
        if show_files:
            for code in named:
                print(f"    {file_of(code)}: {code.co_name}")


def is_search(code: CodeType) -> bool:
    return room_of(file_of(code) or "games") not in ("a game", "games", "compiler", "rules")


def main() -> None:
    show_files = "--files" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        back = Path.cwd()
        os.chdir(folder)
        try:
            python_walk(SEARCH, show_files)
            python_walk(MATCH, show_files)
        finally:
            os.chdir(back)
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    if "--node" not in sys.argv:
        subprocess.run([sys.executable, __file__, "--node", *sys.argv[1:]], check=True)


if __name__ == "__main__":
    if "--node" in sys.argv[1:]:
        import astragal

        start = astragal.start("ewn", seed=7).settled(7)
        node_walk(lambda: astragal.search(start, "star2ss:depth=4,nodes=2000"), "--files" in sys.argv[1:])
    else:
        main()
