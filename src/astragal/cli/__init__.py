"""The command line. Commands live in modules of their own and import what is heavy only when they run."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Sequence

from astragal.errors import LONGEST_SENTENCE, AstragalError, Stopped
from astragal.terminal import paint


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; bad input gets one sentence on standard error and exit code 2, Ctrl-C exit code 130."""
    warnings.showwarning = show_warning
    if "check" in (sys.argv[1:] if arguments is None else arguments)[:2]:  # it is to meet any mistake and survive
        from astragal.game.safe import be_safe

        be_safe()
    sys.exit(run(arguments))


def show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """One line, without the place in the program that a person cannot do anything about."""
    print(f"{paint('astragal: warning:', 'yellow', sys.stderr)} {message}", file=sys.stderr)


def run(arguments: Sequence[str] | None = None) -> int:
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
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
    if type(error).__module__.startswith("numba"):
        from astragal.game.compile_errors import compile_reason

        return complain(f"the game cannot be compiled: {compile_reason(error)}")
    place = last_place(error)
    return complain(f"{type(error).__name__}: {error}{place} (ASTRAGAL_DEBUG=1 shows where it came from)")


def named_command(arguments: Sequence[str]) -> str:
    """The command that arguments name: the parser does not always say it."""
    from astragal.cli.app import COMMANDS

    first = next((word for word in arguments if not word.startswith("-")), "")
    return f"astragal {first}" if first in COMMANDS else "astragal"


def last_place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f", at {trace.tb_frame.f_code.co_filename} line {trace.tb_lineno}" if trace else ""


def complain(sentence: str) -> int:
    print(f"{paint('astragal:', 'red', sys.stderr)} {' '.join(sentence.split())}", file=sys.stderr)
    return 2


def interrupted() -> int:
    print("\ninterrupted", file=sys.stderr)
    return 130
