"""Options that choose or change the jobs of a log: its partitions and queues, the first jobs, its load, its estimates."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.common.errors import naming_key
from slotwise.cli.words import a_count, a_number, an_argument
from slotwise.planning.changes import a_size, processors_of, told_by_number
from traces.shape.closing import closing_named
from traces.shape.regimes import usable_named

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from traces.shape.estimates import EstimateModel


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
        help="start no job in the closed hours of its queue: hours of the day, on working days or weekends, in which the log "
        "records almost no start of the queue although its jobs wait (policies of space sharing only)",
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
        metavar="QUEUE=HOURS",
        help="start no job of a queue at these hours of the day, such as 2=workdays:8-18 or 2=0-6,3=weekends:0-24 (policies of "
        "space sharing only)",
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


def chosen_jobs(workload: Workload, arguments: argparse.Namespace) -> Workload:
    """Return the jobs that the options choose, on the clock and on the part of the machine that they name.

    Standstills and closed hours are those of the whole log on its machine.
    """
    from traces.shape.closed_hours import with_closed_hours
    from traces.shape.selection import CHOICES, counting_left_out, usable
    from traces.shape.standstills import with_standstills

    if arguments.standstills:
        with naming_key("--standstills"):
            workload = with_standstills(workload, arguments.standstills)
    if arguments.closed_hours:
        with naming_key("--closed-hours"):
            workload = with_closed_hours(workload)

    for key, choose in CHOICES.items():
        value = getattr(arguments, key)
        if value is not None:
            with naming_key(f"--{key}"):
                workload = choose(workload, value)
    workload = counting_left_out(workload, workload.first(arguments.first)) if arguments.first else workload
    if arguments.begin:
        from traces.shape.windows import from_first_job

        workload = from_first_job(workload)
    if arguments.usable:
        with naming_key("--usable"):
            workload = usable(workload, *arguments.usable)
    if not arguments.queue_credit:
        return workload
    from traces.shape.credit import with_credit

    with naming_key("--queue-credit"):
        return with_credit(workload, dict(arguments.queue_credit))


def read_estimates(arguments: argparse.Namespace) -> EstimateModel | None:
    """Return the model of the option ``--estimates``; raise :class:`StudyError` for an unknown one."""
    if arguments.estimates is None:
        return None
    from traces.written_values import estimates_named

    return estimates_named(arguments.estimates)


def closed(workload: Workload, arguments: argparse.Namespace) -> Workload:
    """Return a workload with the queues closed that the option ``--close`` names."""
    if arguments.close is None:
        return workload
    from traces.shape.closing import with_closing

    with naming_key("--close"):
        return with_closing(workload, arguments.close)


def multiplied(workload: Workload, arguments: argparse.Namespace) -> Workload:
    """Return a workload whose load is the multiple of the option ``--load``; as it is if the option is no multiple."""
    if arguments.load is None or not arguments.load.times:
        return workload
    from traces.shape.load import multiply_load

    with naming_key("--load"):
        return multiply_load(workload, arguments.load.number)
