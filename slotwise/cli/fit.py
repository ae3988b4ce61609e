"""`slotwise fit LOG`."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from slotwise.cli.accounting import add_verbose, show_accounting
from slotwise.cli.changes import add_selection, chosen_jobs
from slotwise.cli.words import a_count, a_path, format_number, print_table
from slotwise.cli.workloads import machine_words, read_source

if TYPE_CHECKING:
    from slotwise.planning.fitted import Fit, Model


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("log", type=a_path, metavar="LOG", help="job log (.swf, .swf.gz, or a name of `slotwise logs`)")
    parser.add_argument(
        "--procs", type=a_count, metavar="N", help="processors of the machine (default: as the log says)"
    )
    add_selection(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    add_verbose(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print which policy and machine explain the recorded waits best, step by step, and the baseline for `slotwise whatif`."""
    from slotwise.planning.fitted import fit

    workload = chosen_jobs(read_source(arguments.log, arguments.procs), arguments)
    found = fit(workload, say)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if arguments.json:
        print(json.dumps(as_data(found), indent=2))
        return 0
    show_accounting(workload, arguments.verbose)
    print(f"{arguments.log.name} on {machine_words(workload)}: fitted on odd weeks, judged on even ones\n")
    show_ladder(found)
    show_best(found)
    show_unexplained(found)
    show_baseline(found, str(arguments.log), workload.machine.processors)
    return 0


def say(text: str) -> None:
    """Show on standard error what is being done, if it is a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def as_data(found: Fit) -> dict[str, Any]:
    """Return a fit as plain data."""
    return {
        "steps": [asdict(step) for step in found.steps],
        "chosen": asdict(found.chosen),
        "grade": found.grade.letter,
        "reason": found.grade.reason,
        "equal": [asdict(model) for model in found.equal],
        "best": [asdict(model) for model in found.best],
        "recorded_use": found.use.to_dict(),
        "certificates": found.certificates,
    }


def numbers(model: Model) -> list[str]:
    """Return how a model explains even weeks, as cells of a table."""
    even = model.even
    values = [format_number(value) for value in (even.weekly, even.by_job, even.ratio)]
    return [*values, f"{even.covered:.0%}", f"{even.exceeded:.0%}"]


HEADER = ("weekly rho", "job rho", "ratio", "covered", "exceeded")


def show_ladder(found: Fit) -> None:
    """Print what each step explains on even weeks."""
    rows = [
        (step.name, f"{step.tried}", "yes" if step.kept else "no", *numbers(step.model), step.model.words)
        for step in found.steps
    ]
    print_table(("let free", "tried", "kept", *HEADER, "best on odd weeks"), rows)
    print(
        "\nA step is kept if its best model explains even weeks better, too. weekly rho, job rho: rank correlation of weekly "
        "mean waits and of\njobs' waits; ratio: simulated mean wait over recorded; covered: share of recorded waiting that the "
        "model has, too; exceeded: what it\nhas beyond."
    )


def show_best(found: Fit) -> None:
    """Print the best models, and what cannot be told apart."""
    print(f"\nThe best {len(found.best)} on odd weeks")
    print_table((*HEADER, "model"), [(*numbers(model), model.words) for model in found.best], left=0)
    if found.equal:
        words = [model.words for model in found.equal]
        shown = " | ".join(words[:4]) + (f" | and {len(words) - 4} more" if len(words) > 4 else "")
        print(f"\nSeveral models fit equally well; the waits do not tell them apart: {found.chosen.words} | {shown}")


def show_unexplained(found: Fit) -> None:
    """Print what no model explains."""
    even = found.chosen.even
    print(
        f"\n{1 - even.covered:.0%} of the recorded waiting of even weeks is not explained; {found.use.wait_fitting:.0%} of all "
        "recorded waiting is by jobs that would have fitted,\nwhich no policy that starts jobs as soon as they fit can explain: "
        "limits per user, priorities, reservations or outages made them wait."
    )
    print(f"\nGrade {found.grade.letter} on even weeks: {found.grade.licence}.\n  {found.grade.reason}")


def show_baseline(found: Fit, log: str, processors: int) -> None:
    """Print the commands that take the chosen model as the baseline of a what-if."""
    from slotwise.planning.fitted import whatif_options

    print("\nFor what-if, with this baseline:")
    for pool in found.chosen.pools:
        print(f"  {shlex.join(['slotwise', 'whatif', log, *whatif_options(pool, processors)])}")
    for certificate in found.certificates:
        print(certificate)
