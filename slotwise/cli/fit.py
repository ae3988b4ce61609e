"""`slotwise fit LOG`."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import ParameterError
from slotwise.cli.accounting import show_accounting
from slotwise.cli.changes import chosen_jobs
from slotwise.cli.compiling import tell_of_compiling
from slotwise.cli.words import option_name, option_words, print_table, say, tell, two_decimals
from slotwise.cli.workloads import LOG_OPTIONS, add_log, machine_words, read_source

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload
    from slotwise.planning.models import Fit, Model

FOUND = ("usable", "standstills", "closed_hours", "queue_credit")
"""Options of a log that fit finds."""

MANY_JOBS = 100_000
"""A fit of more jobs may take over ten minutes."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_log(parser, "--processors")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """Print which policy and machine explain the recorded waits best, step by step, and the baseline for `slotwise whatif`."""
    from slotwise.planning.fitted import fit
    from slotwise.planning.recorded import unknown_words

    for option in FOUND:
        if getattr(arguments, option):
            raise ParameterError(f"{option_name(option)}: fit finds these itself; leave the option out")
    log = read_source(arguments.log, arguments.procs)
    workload = chosen_jobs(log, arguments)
    tell_of_compiling()
    if len(workload) > MANY_JOBS:
        said = f"{len(workload):,} jobs are simulated 400 to 1,600 times, which may take ten minutes or more."
        print(f"{said} --first N takes the first N jobs only.", file=sys.stderr, flush=True)
    found = fit(workload, say, log)
    say("")
    if arguments.json:
        print(json.dumps(as_data(found), indent=2))
        return 0
    show_accounting(workload, arguments.verbose)
    print(f"{arguments.log.name} on {machine_words(workload)}: chosen on odd weeks, checked on even ones\n")
    if words := unknown_words(workload):
        print(f"{words}\n")
    if not found.grade.letter and len(found.steps) == 1:
        tell(f"{found.grade.licence}: {found.grade.reason}.")
        return 0
    show_ladder(found)
    show_closed_hours(found)
    show_regimes(found, workload)
    show_best(found)
    show_unexplained(found)
    show_baseline(found, arguments, workload.machine.processors)
    if arguments.verbose:
        for certificate in found.certificates:
            print(certificate)
    return 0


def as_data(found: Fit) -> dict[str, Any]:
    """Return a fit as plain data."""
    return {
        "steps": [asdict(step) for step in found.steps],
        "chosen": asdict(found.chosen),
        "grade": found.grade.letter,
        "reason": found.grade.reason,
        "equal": [asdict(model) for model in found.equal],
        "best": [asdict(model) for model in found.best],
        "recorded_use": asdict(found.use),
        "certificates": found.certificates,
        "closed_hours": found.closing,
    }


def numbers(model: Model) -> list[str]:
    """Return how a model explains even weeks, as cells of a table."""
    even = model.even
    values = [two_decimals(value) for value in (even.weekly, even.by_job, even.ratio)]
    return [*values, f"{even.covered:.0%}", f"{even.exceeded:.0%}"]


CEILINGS_SAID = (
    "ceiling of users: at most so many jobs of a user run at once, or so many processor hours are left of what they requested; "
    "further jobs are passed over until there is room, and hold up nobody. Ceilings that over {breaking:.0%} of the "
    "recorded starts break are not tried."
)
"""What the steps with ceilings for each user are."""

CLOSED_SAID = (
    "closed hours: hours of the week in which almost no job, none of a queue, or none over a limit starts although such jobs "
    "wait; learned from odd weeks, kept in all."
)
"""What the step with closed hours is."""

CREDIT_SAID = (
    "credit of a queue: its jobs count as submitted so many hours earlier or later; first: before all other queues."
)
"""What the steps with credits of queues are."""

FAIR_SHARE_SAID = (
    "fair share: a job counts as submitted later, the more of the recent usage is its user's; older usage counts less, by half "
    "in each half-life."
)
"""What the step with fair share is."""

REGIME_SAID = (
    "change of regime: from one or two weeks on, another number of processors can be used; weeks count from 0, and a regime has "
    "at least {weeks}. A change is of 2 % of the machine or more."
)
"""What the step with other usable processors is."""

HEADER = ("weekly rho", "job rho", "ratio", "covered", "exceeded")


def show_ladder(found: Fit) -> None:
    """Print what each step explains on even weeks."""
    from slotwise.planning.breaking import MOST_BREAKING
    from slotwise.planning.fitted import CLOSED, OF_QUEUE, OF_REGIME, OF_USAGE, OF_USERS
    from slotwise.planning.regimes import LEAST_WEEKS
    from slotwise.planning.trials import MOST_STILL

    rows = [
        (step.name, f"{step.tried}", "yes" if step.kept else "no", *numbers(step.model), step.model.words)
        for step in found.steps
    ]
    print_table(("step", "tried", "kept", *HEADER, "best model on odd weeks"), rows, text_last=True)
    steps = {
        CLOSED: CLOSED_SAID,
        OF_QUEUE: CREDIT_SAID,
        OF_USERS: CEILINGS_SAID.format(breaking=MOST_BREAKING),
        OF_USAGE: FAIR_SHARE_SAID,
        OF_REGIME: REGIME_SAID.format(weeks=LEAST_WEEKS),
    }
    tried = {step.name for step in found.steps}
    legend = [
        "Numbers are of even weeks. A step is kept if its best model is clearly better than the last that was kept on odd weeks, "
        "and better on even ones, too; ceilings, fair share and changes of regime must be clearly better on both. standstills: "
        "periods without a start in which a waiting job would have fitted, such as outages; they come from the log, of all "
        f"weeks. If they cover over {MOST_STILL:.0%} of its time, they are no outages and are not tried.",
        *(said for name, said in steps.items() if name in tried),
        "weekly rho, job rho: rank correlation of weekly mean waits and of jobs' waits; ratio: simulated mean wait over "
        "recorded; covered: recorded waiting that the model reproduces; exceeded: extra simulated waiting; both relative to the "
        "recorded.",
    ]
    tell("\n".join(["", *legend]))


def show_closed_hours(found: Fit) -> None:
    """Print the closed hours of the log, if the chosen model keeps them."""
    from traces.shape.closing import closing_words

    if any(pool.closed for pool in found.chosen.pools):
        tell(f"\nClosed hours of the log: {closing_words(found.closing)}.")


def show_regimes(found: Fit, workload: Workload) -> None:
    """Print from which weeks on another part of the machine can be used, or that no such change was found."""
    from slotwise.planning.fitted import OF_REGIME
    from traces.shape.regimes import regime_words

    part = found.chosen.pools[0].usable
    if part.changes:
        tell(f"\nChange of regime: {regime_words(part, workload, workload.machine.processors)}.")
    elif any(step.name == OF_REGIME for step in found.steps):
        tell(
            "\nNo change of regime was found: one number of usable processors explains the waits of all weeks as well."
        )


def show_best(found: Fit) -> None:
    """Print the best models, and what cannot be told apart."""
    print(f"\nThe best {len(found.best)} on odd weeks, best first; numbers are of even weeks")
    print_table((*HEADER, "model"), [(*numbers(model), model.words) for model in found.best], left=0, text_last=True)
    if found.equal:
        words = [model.words for model in found.equal]
        shown = " | ".join(words[:4]) + (f" | and {len(words) - 4} more" if len(words) > 4 else "")
        tell(f"\nSeveral models fit equally well; the waits do not tell them apart: {found.chosen.words} | {shown}")


def show_unexplained(found: Fit) -> None:
    """Print what the chosen model does not explain, and its grade."""
    from slotwise.planning.recorded import use_sentences

    tell(
        f"\n{1 - found.chosen.even.covered:.0%} of the recorded waiting of even weeks is not simulated. "
        f"{found.use.wait_fitting:.0%} of all recorded waiting is by jobs that would have fitted on the free processors. Queue "
        "order, reservations for other jobs, partitions, limits, priorities or outages can cause this; the "
        "log does not say which."
    )
    for sentence in use_sentences(found.use):
        tell(sentence)
    tell(f"\n{found.grade.name} on even weeks. {found.grade.licence}.\n  {found.grade.reason}")


def show_baseline(found: Fit, arguments: argparse.Namespace, processors: int) -> None:
    """Print the command that takes the chosen model as the baseline of a what-if."""
    from slotwise.planning.fitted import pools_options, whatif_options

    pools = found.chosen.pools
    options = pools_options(pools) if len(pools) > 1 else whatif_options(pools[0], processors)
    chosen = option_words(arguments, [option for option in LOG_OPTIONS if option not in FOUND])
    print("\nFor what-if, with this baseline:")
    print(f"  {shlex.join(['slotwise', 'whatif', str(arguments.log), *chosen, *options])}")
