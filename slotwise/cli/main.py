"""Entry point of the `slotwise` command."""

import argparse
import errno
import importlib
import io
import os
import re
import shlex
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

from scheduler_core.common.errors import IllegalScheduleError, MissingTableError, PolicyError, SlotwiseError, nearest
from scheduler_core.common.files import keeping_inputs
from scheduler_core.common.garbage import collect_rarely
from scheduler_core.declarations.words import capitalised
from slotwise.cli.words import FAILED

COMMANDS = {
    "study": "run a study and write its report, or list the studies",
    "simulate": "run a log or workload under a policy, check the schedule and write it",
    "validate": "compare simulated waits with those a log recorded, and say what the simulation may be used for",
    "fit": "find which policy and machine explain the waits a log recorded best",
    "whatif": "what would change for the jobs of a log under other policies, processors, loads or estimates: one page",
    "check": "prove again that a run is legal (feasible and correctly accounted); with --replay, that its policy makes it",
    "compare": "compare schedules of the same jobs; one may be another program's",
    "explain": "say why a job of a run started when it did, by which rules others overtook it, and what would have changed it",
    "gantt": "show who holds which processors when in a run, in the terminal or as a picture",
    "ingest": "turn a job log into a workload and account for every line",
    "import": "turn a cluster's own accounting (sacct, PBS, LSF) into a job log and account for every line",
    "export": "write a log, a workload or a run's schedule for other programs (SWF, evalys)",
    "workflow": "read a workflow file and show its tasks, dependencies, levels and longest path",
    "generate": "draw a workload from a synthetic model",
    "new": "write a policy of your own with its tests, or a study, to begin with",
    "policies": "list the policies, or describe one",
    "figure": "write one figure of a study for a paper: vector PDF and SVG of exact width, caption and references",
    "paper": "write the figures, tables, numbers and provenance of a study as LaTeX",
    "logs": "list the logs of the catalogue, describe one, or fetch them",
    "bench": "measure jobs per second of each policy",
    "completion": "print a script by which bash, zsh or fish completes commands, options and names",
}
EXIT_CODES = (
    "Exit codes: 0 done; 1 a schedule breaks a rule or differs from its replay, or your own policy or a step of a study failed; "
    "2 not done: wrong usage, or a file, a log or a run that cannot be used, with the reason on standard error; 130 interrupted."
)
MODULES = {"import": "import_dump"}
"""Modules of commands whose names Python reserves."""

USAGE_ERROR = 2
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """A parser whose errors are short, and which takes ``-10%`` for a value, as it takes ``-10``."""

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        self._negative_number_matcher = re.compile(r"^-(\d+|\d*\.\d+)%?$")

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, and how to get help, and exit."""
        self.exit(USAGE_ERROR, f"{self.prog}: {message}\n`{self.prog} --help` lists all options\n")


def build_parser(only: str = "") -> Parser:
    """Return the parser; with ``only``, only that subcommand has its options."""
    parser = Parser(
        prog="slotwise",
        description="Simulate parallel job schedulers, check every schedule, and run whole studies.",
        epilog=f"`slotwise COMMAND --help` explains a command. {EXIT_CODES}",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, meaning in COMMANDS.items():
        command = commands.add_parser(
            name, help=meaning, description=f"{capitalised(meaning)}.", epilog=EXIT_CODES, allow_abbrev=False
        )
        if name == only:
            module_of(name).add(command)
    return parser


def refuse_unknown(given: Sequence[str], parser: Parser, only: str) -> None:
    """Exit with a sentence for an unknown command or option; argparse would first complain of what is missing."""
    if not only:
        for word in given:
            if not word.startswith("-"):
                parser.error(f"there is no command {word!r}; {nearest(word, COMMANDS)}")
        return
    command = subcommands(parser)[only]
    if subcommands(command):
        return  # actions have options of their own
    known = command._option_string_actions
    for word in given[given.index(only) + 1 :]:
        option = word.partition("=")[0]
        if option.startswith("--") and option not in known and option != "--":
            command.error(f"there is no option {option}; {nearest(option, known)}")


def subcommands(parser: Parser) -> dict[str, Parser]:
    """Return the parsers of the commands or actions of a parser; empty for one without."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def module_of(command: str) -> ModuleType:
    """Return the module of a command."""
    return importlib.import_module(f"slotwise.cli.{MODULES.get(command, command)}")


def main(words: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; print errors that the user can mend on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # file names may have characters that a terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    collect_rarely()
    given = list(sys.argv[1:] if words is None else words)
    only = next((word for word in given if word in COMMANDS), "")
    said = f"slotwise {only}".strip()
    try:
        parser = build_parser(only)
        refuse_unknown(given, parser, only)
        arguments, more = parser.parse_known_args(given)
        if more:
            subcommands(parser).get(only, parser).error(f"unrecognized arguments: {shlex.join(more)}")
        if arguments.version:
            from importlib.metadata import version

            print(f"slotwise {version('slotwise')}")
            return 0
        if arguments.command is None:
            parser.error(f"name a command: {', '.join(COMMANDS)}")
        with keeping_inputs():
            code = int(module_of(arguments.command).run(arguments))
            sys.stdout.flush()
            return code
    except SlotwiseError as error:
        print(f"{said}: {error}{advice_on(error, only)}", file=sys.stderr)
        return FAILED if isinstance(error, IllegalScheduleError | PolicyError) else USAGE_ERROR
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - the reader of our output closed it, as `head` does
        return 0
    except OSError as error:
        print(f"{said}: {describe_os_error(error)}", file=sys.stderr)
        if error.errno == errno.ENOSPC and not error.filename:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - what standard output still holds has no room
        return USAGE_ERROR
    except MemoryError as error:
        print(f"{said}: there is not enough memory for this ({error or 'the system gives no more'})", file=sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt as stop:
        where = f" {stop}" if str(stop) else ""
        print(f"\n{said}: interrupted{where}; nothing half-written was left behind", file=sys.stderr)
        return INTERRUPTED


def advice_on(error: SlotwiseError, command: str) -> str:
    """Return the options that would have avoided an error of a command, as further sentences; empty when none is known."""
    if not isinstance(error, MissingTableError):
        return ""
    from traces.companions import advice

    checking = (
        "A run is checked with the workload it was made of "
        "(`slotwise check RUN --workload W`, with the same options for a log)"
        if command != "simulate"
        else ""
    )
    return "".join(f". {sentence}" for sentence in (advice(error.missing), checking) if sentence)


def describe_os_error(error: OSError) -> str:
    """Return what the system refused, and for which file."""
    if error.errno == errno.ENOSPC and not error.filename:
        return f"standard output cannot be written: {error.strerror}"
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)
