"""The command line: one file a command, and nothing heavy loaded before its command runs."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Sequence

from footfall.cli.arguments import Parser
from footfall.cli.bench import add_command as add_bench
from footfall.cli.check import add_command as add_check
from footfall.cli.listing import add_command as add_list
from footfall.cli.walk import add_command as add_walk
from footfall.cli.warm import add_command as add_warm
from footfall.errors import FileError, FootfallError

COMMANDS = (add_walk, add_list, add_check, add_bench, add_warm)
FAULTY, BROKEN, INTERRUPTED, TERMINATED = 2, 1, 130, 143  # exit codes: request or file, footfall itself, signals


def make_parser() -> Parser:
    """Parser of the whole command line."""
    parser = Parser(prog="footfall", description="Procedural locomotion for legged machines.")
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    for add_command in COMMANDS:
        add_command(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code.

    What is wrong with a request or a file is told on stderr, in one line each, and the code is 2; an interrupt is
    130. A run that misses its quality limits is still a run: its code is 0, and the table says FAIL.
    """
    kept = _catch_termination()
    try:
        parser = make_parser()
        options = parser.parse_args(arguments)
        if options.version:
            from importlib.metadata import version

            print(f"footfall {version('footfall')}")
            return 0
        if "run" not in options:
            parser.print_help(sys.stderr)
            return FAULTY
        options.command_line = shlex.join(["footfall", *(sys.argv[1:] if arguments is None else arguments)])
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except SystemExit as leaving:  # --help, --version, or an argument that the parser refused
        return leaving.code if isinstance(leaving.code, int) else FAULTY
    except FileError as error:
        return _tell(str(error))
    except FootfallError as error:
        return _tell(f"footfall: {error}")
    except BrokenPipeError:  # whoever read our output has gone: no more to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN
    except OSError as error:
        named = f"{error.filename}: " if error.filename is not None else ""
        return _tell(f"footfall: {named}{error.strerror or error}")
    except MemoryError:
        return _tell("footfall: not enough memory; ask for fewer agents or seconds")
    except KeyboardInterrupt:
        return _tell("footfall: interrupted", INTERRUPTED)
    except _TerminationError:
        return _tell("footfall: terminated", TERMINATED)
    except Exception as error:
        if os.environ.get("FOOTFALL_DEBUG"):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return _tell(f"footfall: a fault of the program itself: {what} (FOOTFALL_DEBUG=1 shows where)", BROKEN)
    finally:
        if kept is not None:
            signal.signal(signal.SIGTERM, kept)


class _TerminationError(BaseException):
    """SIGTERM, so that what is half written goes away."""


def _catch_termination() -> signal._HANDLER:
    def stop(number: int, frame: object) -> None:
        raise _TerminationError

    try:
        return signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not the main thread
        return None


def _tell(message: str, code: int = FAULTY) -> int:
    try:
        print(message, file=sys.stderr)
    except OSError:
        pass
    return code
