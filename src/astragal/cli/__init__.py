"""The command line. Commands have their own modules, which import what is slow to load only when they run."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout

from astragal.base.errors import LONGEST_SENTENCE, AstragalError, Stopped
from astragal.base.terminal import CleanStream, paint, without_commands


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; bad input gets one sentence on standard error and exit code 2, Ctrl-C exit code 130."""
    warnings.showwarning = show_warning
    if "check" in (sys.argv[1:] if arguments is None else arguments)[:2]:  # it must survive any mistake in a game
        from astragal.compiler.switches import be_safe

        be_safe()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end_with_engines)
    sys.exit(run(arguments))


def end_with_engines(number: int, frame: object) -> None:
    """End by the signal, after ending the programs that this one runs, which would else go on."""
    started = sys.modules.get("astragal.players.programs.engine_process")
    if started is not None:
        started.kill_all()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """One line, without the place in the program, which is no help to a user."""
    print(f"{paint('astragal: warning:', 'yellow', sys.stderr)} {without_commands(str(message))}", file=sys.stderr)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code. What it prints contains no commands for the terminal."""
    with redirect_stdout(CleanStream(sys.stdout)):
        return run_plainly(arguments)


def run_plainly(arguments: Sequence[str] | None) -> int:
    try:
        from astragal.cli.app import app

        result = app(args=arguments, standalone_mode=False, prog_name="astragal")
        sys.stdout.flush()
        if result == 130:  # newer parsers turn Ctrl-C into an exit code
            return interrupted()
        return result if isinstance(result, int) else 0
    except AstragalError as error:
        if os.environ.get("ASTRAGAL_DEBUG"):
            traceback.print_exception(error)
        code = complain(str(error))
        return 130 if isinstance(error, Stopped) else code
    except BrokenPipeError:  # the reader of a pipe has gone
        abandon_output(now=True)
        return 0
    except SystemExit as leave:  # the parser's own way out where the reader of a pipe has gone, with code 1
        return 0 if leave.code == 1 else int(leave.code or 0)
    except KeyboardInterrupt:
        return interrupted()
    except Exception as error:
        return explain(error, sys.argv[1:] if arguments is None else arguments)


def explain(error: Exception, arguments: Sequence[str] = ()) -> int:
    """Errors of the command line's parser, of Numba, and our own bugs."""
    if type(error).__name__ == "Abort":  # what the parser makes of Ctrl-C
        return interrupted()
    if type(error).__name__ == "NoArgsIsHelpError":  # `astragal` alone
        print(error.format_message())  # type: ignore[attr-defined]
        return 0
    if hasattr(error, "format_message"):  # a usage error of the parser
        command = getattr(getattr(error, "ctx", None), "command_path", None) or named_command(arguments)
        return complain(f"{error.format_message().rstrip('.')} (see {command} --help)")
    if os.environ.get("ASTRAGAL_DEBUG"):
        raise error
    if isinstance(error, OSError) and error.filename is not None:  # a name too long, a folder in the way
        return complain(f"cannot use {str(error.filename)[:LONGEST_SENTENCE]}: {error.strerror}")
    if isinstance(error, OSError) and error.errno is not None:  # while writing, such as to a full disk
        abandon_output()
        return complain(f"cannot write: {error.strerror}")
    if type(error).__module__.startswith("numba"):
        from astragal.compiler.compile_errors import compile_reason

        return complain(f"the game cannot be compiled: {compile_reason(error)}")
    place = last_place(error)
    return complain(f"{type(error).__name__}: {error}{place} (ASTRAGAL_DEBUG=1 shows where it came from)")


def abandon_output(now: bool = False) -> None:
    """Write no more to standard output, now or if it cannot be written to: Python would try again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        now = True
    if now:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def named_command(arguments: Sequence[str]) -> str:
    """The command that arguments name: the parser does not always report it."""
    from astragal.cli.app import COMMANDS, GROUPS

    first, second = [*(word for word in arguments if not word.startswith("-")), "", ""][:2]
    if f"{first} {second}" in COMMANDS:
        return f"astragal {first} {second}"
    return f"astragal {first}" if first in COMMANDS or first in GROUPS else "astragal"


def last_place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f", at {trace.tb_frame.f_code.co_filename} line {trace.tb_lineno}" if trace else ""


def complain(sentence: str) -> int:
    print(f"{paint('astragal:', 'red', sys.stderr)} {without_commands(' '.join(sentence.split()))}", file=sys.stderr)
    return 2


def interrupted() -> int:
    print("\ninterrupted", file=sys.stderr)
    return 130
