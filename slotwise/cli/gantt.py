"""`slotwise gantt RUN`."""

from __future__ import annotations

import argparse
import shutil
from itertools import chain

from slotwise.cli.outputs import add_force, refuse_existing
from slotwise.cli.words import a_number, a_path


def a_window(text: str) -> tuple[float, float]:
    """Return a window: two numbers of hours with a colon between them."""
    low, _, high = text.partition(":")
    try:
        return float(low), float(high)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected begin and end in hours, such as 0:24; found {text!r}") from None


MOST_IN_RANGE = 10_000
"""The most jobs that a range may name."""


def some_jobs(text: str) -> range:
    """Return a number of a job, or a range of them such as 5-9, as the numbers that it stands for."""
    low, dash, high = text.partition("-")
    first = a_number(low)
    last = a_number(high) if dash else first
    if not first <= last < first + MOST_IN_RANGE:
        raise argparse.ArgumentTypeError(
            f"expected the number of a job, or a range of at most {MOST_IN_RANGE:,} such as 5-9; found {text!r}"
        )
    return range(first, last + 1)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("run", type=a_path, metavar="RUN", help="folder of a finished run")
    parser.add_argument(
        "--jobs", type=some_jobs, nargs="+", metavar="N", help="jobs to show, such as 3 5-9 (default: all)"
    )
    parser.add_argument(
        "--window", type=a_window, metavar="BEGIN:END", help="time to show, in hours since the workload's zero"
    )
    parser.add_argument("--replication", type=a_number, default=0, metavar="N", help="replication, from 0 (default: 0)")
    parser.add_argument(
        "--out", type=a_path, metavar="FILE", help="picture to write: .svg, .png or .pdf (default: print characters)"
    )
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draw the schedule of a run into a file, or print it as wide as the terminal."""
    from scheduler_core.common.files import target_file
    from scheduler_core.runs.comparison import read_side
    from slotwise.decisions.gantt import draw, gantt

    if arguments.out:
        target_file(arguments.out)
        refuse_existing([arguments.out], arguments.force)
    jobs = list(chain(*arguments.jobs)) if arguments.jobs else None
    found = gantt(read_side(arguments.run, arguments.replication).schedule, jobs, arguments.window)
    if arguments.out:
        draw(found.chart, arguments.out)
        print(f"written to {arguments.out}")
    else:
        print(found.text(shutil.get_terminal_size().columns))
    return 0
