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
    print(f"{arguments.log.name} on {machine_words(workload)}: chosen on odd weeks, checked on even ones\n")
    if not found.grade.letter:
        print(f"{found.grade.licence}: {found.grade.reason}.")
        return 0
    show_ladder(found)
    show_best(found)
    show_unexplained(found)
    show_baseline(found, arguments, workload.machine.processors)
    if arguments.verbose:
        for certificate in found.certificates:
            print(certificate)
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
    print_table(("step", "simulated", "kept", *HEADER, "best model on odd weeks"), rows, text_last=True)
    print(
        "\nNumbers are of even weeks. A step is kept if its best model is better than the last that was kept, on odd and on even "
        "weeks.\nweekly rho, job rho: rank correlation of weekly mean waits and of jobs' waits; ratio: simulated mean wait over "
        "recorded;\ncovered: share of recorded waiting that is simulated, too; exceeded: waiting simulated beyond it."
    )


def show_best(found: Fit) -> None:
    """Print the best models, and what cannot be told apart."""
    print(f"\nThe best {len(found.best)} on odd weeks")
    print_table((*HEADER, "model"), [(*numbers(model), model.words) for model in found.best], left=0, text_last=True)
    if found.equal:
        words = [model.words for model in found.equal]
        shown = " | ".join(words[:4]) + (f" | and {len(words) - 4} more" if len(words) > 4 else "")
        print(f"\nSeveral models fit equally well; the waits do not tell them apart: {found.chosen.words} | {shown}")


def show_unexplained(found: Fit) -> None:
    """Print what the chosen model does not explain, and its grade."""
    print(
        f"\n{1 - found.chosen.even.covered:.0%} of the recorded waiting of even weeks is not simulated. "
        f"{found.use.wait_fitting:.0%} of all recorded waiting is by jobs that would have fitted on\nthe free processors. Queue "
        "order, reservations for other jobs, partitions, limits, priorities or outages can cause this; the "
        "log does\nnot say which."
    )
    print(f"\n{found.grade.name} on even weeks. {found.grade.licence}.\n  {found.grade.reason}")


def show_baseline(found: Fit, arguments: argparse.Namespace, processors: int) -> None:
    """Print the commands that take the chosen model as the baseline of a what-if; each pool has a page of its own."""
    from slotwise.planning.fitted import whatif_options

    print("\nFor what-if, with this baseline:")
    chosen = [
        word
        for option in ("procs", "first", "begin", "partition", "queue")
        if (given := getattr(arguments, option)) is not None
        for value in (given if isinstance(given, list) else [given])
        for word in (f"--{option}", str(value))
    ]
    for number, pool in enumerate(found.chosen.pools, 1):
        page = ["--out", f"whatif-{number}.html"] if len(found.chosen.pools) > 1 else []
        words = ["slotwise", "whatif", str(arguments.log), *chosen, *whatif_options(pool, processors), *page]
        print(f"  {shlex.join(words)}")
