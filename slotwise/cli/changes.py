"""Options that choose or change the jobs of a log: its partitions and queues, the first jobs, its load, its estimates."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from slotwise.cli.words import a_count, a_number, an_argument, option_name
from slotwise.planning.changes import a_size, processors_of, told_by_number
from traces.shape.closing import closing_named
from traces.shape.regimes import usable_named

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from traces.shape.estimates import EstimateModel
    from traces.steps import Step

KEY = "command line"
"""The key of random numbers in place of a workload's id, so that only the seed matters."""


class Load(NamedTuple):
    """A load as written: the offered load, or how many times that of the log it is."""

    number: float
    times: bool


class Credit(NamedTuple):
    """The credit of a queue as written: its number and hours of waiting."""

    queue: int
    hours: float

    def __str__(self) -> str:
        return f"{self.queue}={self.hours:g}"


def a_credit(text: str) -> Credit:
    """Return the credit of a queue: 3=24 for 24 hours."""
    queue, _, hours = text.partition("=")
    try:
        return Credit(int(queue), float(hours))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected the number of a queue and hours, such as 3=24; found {text!r}; {told_by_number('queue')}"
        ) from None


def number_of(kind: str) -> Callable[[str], int]:
    """Return what reads the number of a partition or queue (``kind``)."""

    def read(text: str) -> int:
        try:
            return a_number(text)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"{error}; {told_by_number(kind)}") from None

    return read


def a_length(text: str) -> float:
    """Return a length of time in hours."""
    try:
        hours = float(text)
    except ValueError:
        hours = math.nan
    if not 0 < hours < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number of hours above 0; found {text!r}")
    return hours


def a_load(text: str) -> Load:
    """Return a load: 0.9, or x1.2 for 1.2 times that of the log."""
    times = text.startswith("x")
    try:
        number = float(text.removeprefix("x"))
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(
            f"expected an offered load above 0, such as 0.9, or a multiple of the log's, such as x1.2; found {text!r}"
        )
    return Load(number, times)


def a_machine(text: str) -> str:
    """Return the size of a machine as it is written: 256, or a change of the log's such as +25%."""
    a_size(text, "--procs")
    return text


def add_machine(parser: argparse.ArgumentParser, meaning: str, *further: str) -> None:
    """Add the option ``--procs``, under ``further`` names, too."""
    said = f"{meaning}: a number, or a change of the log's such as +25%% (default: as the log says)"
    parser.add_argument("--procs", *further, dest="procs", type=a_machine, metavar="N", help=said)


def resized(today: int, asked: str) -> int:
    """Return the processors of the option ``--procs``; a change is of those of ``today``."""
    return processors_of(a_size(asked, "--procs"), today)


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose jobs."""
    parser.add_argument("--first", type=a_count, metavar="N", help="take the first N jobs only")
    parser.add_argument(
        "--begin",
        choices=("first_job",),
        help="start the clock when the first selected job is submitted (default: the log's clock); for runs that end at a "
        "fixed time, by the parameter until_s of a policy",
    )
    for column in ("partition", "queue"):
        parser.add_argument(
            f"--{column}",
            type=number_of(column),
            metavar="N",
            action="append",
            help=f"take the jobs of this {column} only, a number of the log; may be repeated. The machine keeps its size: give "
            f"that of the {column} with --procs",
        )
    parser.add_argument(
        "--where",
        metavar="EXPRESSION",
        help='take the jobs for which this holds, such as "size > 8 AND run_time < 3600": SQL over job, submit, run_time, '
        "estimate, wait (seconds), size, user, group, executable, queue, partition, status and what else the log states",
    )
    parser.add_argument(
        "--usable",
        type=an_argument(usable_named),
        metavar="N",
        help="processors of the machine that jobs can really use, as `slotwise fit` finds them; a wider job takes all of them. "
        "124,113@31 is 113 from week 31 on, counted from 0 (policies of space sharing only)",
    )
    parser.add_argument(
        "--standstills",
        type=a_length,
        metavar="HOURS",
        help="start no job in the log's standstills of at least so many hours: periods without a recorded start in which a "
        "waiting job would have fitted, such as outages (policies of space sharing only)",
    )
    parser.add_argument(
        "--closed-hours",
        action="store_true",
        default=None,
        help="start no job in the closed hours of the log: hours of the week in which it records almost no start although jobs "
        "wait, of all jobs, of a queue, or of jobs over a limit (policies of space sharing only)",
    )
    parser.add_argument(
        "--queue-credit",
        type=a_credit,
        metavar="QUEUE=HOURS",
        action="append",
        help="take the jobs of a queue as submitted so many hours earlier in the order of submission: 0=1000 serves queue 0 "
        "before all others; may be repeated (policies of space sharing only)",
    )


def add_changes(parser: argparse.ArgumentParser) -> None:
    """Add the options that change opening hours, load and estimates."""
    parser.add_argument(
        "--close",
        type=an_argument(closing_named),
        metavar="JOBS=HOURS",
        help="start no job of a queue, over a limit, or none at all at these hours of the week, such as 2=workdays:8-18, "
        "over4h=mon-thu:7-16+fri:7-12 or all=tue:8-12; several with commas (policies of space sharing only)",
    )
    parser.add_argument(
        "--load",
        type=a_load,
        metavar="X",
        help="scale the gaps between submissions to this offered load, such as 0.9, or to a multiple of the log's, such as x1.2",
    )
    parser.add_argument(
        "--estimates", metavar="ESTIMATES", help="replace the estimates: exact, tsafrir, or 'f_model(f=10)'"
    )


def applied(
    steps: Mapping[str, Step], workload: Workload, values: Mapping[str, Any], seed: int = 0, replication: int = 0
) -> Workload:
    """Return a workload after those steps of a study's workload that have a value; errors name the options."""
    from traces.steps import Replication, apply_steps

    step_of, value_of = (
        {option_name(key.removesuffix("_h")): one for key, one in by_key.items()} for by_key in (steps, values)
    )
    return apply_steps(step_of, workload, value_of, Replication(seed, KEY, KEY, replication))


def chosen_jobs(workload: Workload, arguments: argparse.Namespace) -> Workload:
    """Return the jobs that the options choose, on the clock and on the part of the machine that they name.

    Standstills and closed hours are those of the whole log on its machine.
    """
    from traces.shape.selection import counting_left_out
    from traces.steps import PART_OF_LOG

    steps = {**PART_OF_LOG, "first": lambda jobs, count, own: counting_left_out(jobs, jobs.first(count))}
    values = {key: getattr(arguments, key.removesuffix("_h"), None) for key in steps if key != "close"}
    return applied(
        steps, workload, {**values, "queue_credit_h": arguments.queue_credit and dict(arguments.queue_credit)}
    )


def read_estimates(arguments: argparse.Namespace) -> EstimateModel | None:
    """Return the model of the option ``--estimates``; raise :class:`StudyError` for an unknown one."""
    if arguments.estimates is None:
        return None
    from traces.written_values import estimates_named

    return estimates_named(arguments.estimates)
