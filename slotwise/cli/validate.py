"""`slotwise validate LOG`."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from slotwise.cli.accounting import show_accounting
from slotwise.cli.compiling import tell_of_compiling
from slotwise.cli.words import print_table, progress_shower, tell, two_decimals
from slotwise.cli.workloads import add_log, machine_words, read_log_asked

if TYPE_CHECKING:
    from slotwise.planning.recorded import Use
    from slotwise.planning.validation import Validation

FEW_GROUPS = 12
"""How many groups of a kind are printed; --verbose prints all."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_log(parser, "--processors")
    parser.add_argument(
        "--policy",
        action="append",
        metavar="POLICY",
        help="policy to compare with what the log recorded, such as easy or 'easy(backfill_order=\"shortest\")'; may be "
        "repeated (default: easy)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """Print how simulated waits agree with the recorded ones, and what the simulation may be used for."""
    from scheduler_core.declarations.policy import get_policy
    from slotwise.planning.recorded import unknown_words
    from slotwise.planning.scenarios import proved
    from slotwise.planning.validation import validate

    policies = [get_policy(text) for text in arguments.policy or ["easy"]]
    workload = read_log_asked(arguments)
    tell_of_compiling()
    shower = progress_shower(len(workload))
    found = [validate(workload, policy, lambda jobs, kind: proved(jobs, kind, shower)[0]) for policy in policies]
    if arguments.json:
        print(json.dumps([as_data(one) for one in found], indent=2))
        return 0
    show_accounting(workload, arguments.verbose)
    print(f"{arguments.log.name} on {machine_words(workload)}\n")
    if words := unknown_words(workload):
        print(f"{words}\n")
    for one in found:
        tell(f"{one}\n")
    show_agreement(found)
    show_use(found[0].use)
    show_groups(found, arguments.verbose)
    return 0


def as_data(one: Validation) -> dict[str, Any]:
    """Return a validation as plain data."""
    return {
        "policy": one.policy,
        "grade": one.grade.letter,
        "licence": one.grade.licence,
        "reason": one.grade.reason,
        "agreement": {**asdict(one.agreement), "ratio": one.agreement.ratio},
        "ceiling": asdict(one.ceiling),
        "narrower": asdict(one.narrower),
        "recorded_use": asdict(one.use),
        "groups": {kind: table.to_dicts() for kind, table in one.groups.items()},
    }


def show_agreement(found: list[Validation]) -> None:
    """Print how each policy's waits agree with the recorded ones, on a machine 1 % smaller, and with themselves."""
    for one in found:
        sides = (one.agreement, one.narrower, one.ceiling)
        rows = [
            (
                f"mean wait, h (recorded: {one.agreement.recorded_h:.2f})",
                *[two_decimals(side.simulated_h) for side in sides],
            ),
            ("mean wait over recorded", *[two_decimals(side.ratio) for side in sides[:2]], ""),
            ("rank correlation of weekly means", *[two_decimals(side.weekly) for side in sides]),
            ("rank correlation of jobs' waits", *[two_decimals(side.by_job) for side in sides]),
            ("recorded waiting reproduced", *[f"{side.covered:.0%}" for side in sides]),
            ("extra waiting", *[f"{side.exceeded:.0%}" for side in sides]),
        ]
        print_table((one.policy, "simulated", "1 % smaller machine", "most to expect"), rows)
        print()
    tell(
        "most to expect: the simulation against itself with submissions moved by up to a minute. Rank correlations are "
        "Spearman's; waiting is relative to the recorded."
    )


def show_use(use: Use) -> None:
    """Print what the log says of its machine."""
    from slotwise.planning.recorded import use_sentences

    busy = ", ".join(f"{value:,.0f} for {float(name):.1%}" for name, value in use.quantiles.items() if name != "1")
    print(f"\nThe log's own record of {use.processors:,} processors")
    tell(f"  busy processors: at most {busy} of the time; never more than {use.most:,}")
    if use.time_above:
        tell(f"  more than the machine has for {use.time_above:.2%} of the time")
    tell(
        f"  {use.wait_fitting:.0%} of all waiting is by jobs that would have fitted; {use.jobs_fitting:.0%} of the jobs that "
        "waited over a minute fitted at some time. Queue order, reservations for other jobs, partitions, limits, priorities "
        "or outages can cause this; the log does not say which"
    )
    tell(
        f"  periods of an hour and more without a start while a waiting job fits: {use.standstills:,} "
        f"({use.standstill_h:,.0f} h); with jobs waiting and none running: {use.outages:,} ({use.outage_h:,.0f} h)"
    )
    for sentence in use_sentences(use):
        tell(f"  {sentence}")


def show_groups(found: list[Validation], verbose: bool) -> None:
    """Print the mean waits of groups of jobs; the largest groups of each kind only, unless all are asked for."""
    for kind, table in found[0].groups.items():
        if kind == "week" and not verbose:
            continue
        shown = (
            table if verbose else table.sort("jobs", descending=True, maintain_order=True).head(FEW_GROUPS).sort(kind)
        )
        others = [
            dict(zip(one.groups[kind][kind].cast(str), one.groups[kind]["simulated_h"], strict=True)) for one in found
        ]
        cut = f", the {shown.height} of {table.height} with most jobs" if shown.height < table.height else ""
        print(f"\nMean wait by {kind}{cut}")
        rows = [
            (
                str(row[kind]),
                f"{row['jobs']:,}",
                two_decimals(row["recorded_h"]),
                *[two_decimals(other.get(str(row[kind]))) for other in others],
            )
            for row in shown.iter_rows(named=True)
        ]
        print_table((kind, "jobs", "recorded, h", *[f"{one.policy}, h" for one in found]), rows)
