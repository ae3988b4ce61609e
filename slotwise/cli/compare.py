"""`slotwise compare RUN_A RUN_B ...`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.declarations.words import counted
from slotwise.cli.accounting import describe, left_out_words
from slotwise.cli.outputs import add_force, refuse_existing
from slotwise.cli.words import FAILED, a_number, a_path, format_number, print_table, read_aloud, tell, unit_split
from slotwise.cli.workloads import read_source
from slotwise.planning import KINDS

if TYPE_CHECKING:
    from scheduler_core.runs.comparison import Side
    from slotwise.planning.paired import Comparison

STDOUT = Path("-")
"""The name of standard output."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    text = "folder of a run, or another program's schedule: a CSV with the columns job, start, end in seconds"
    parser.add_argument("a", type=a_path, metavar="RUN_A", help=text)
    parser.add_argument("b", type=a_path, metavar="RUN_B", help="the same; at least one of the two must be a run")
    parser.add_argument(
        "others",
        nargs="*",
        default=[],
        type=a_path,
        metavar="RUN",
        help="further runs of the same jobs; each is compared with RUN_A",
    )
    parser.add_argument(
        "--by",
        choices=KINDS,
        action="append",
        default=[],
        help="compare the mean waits of groups of jobs, too; may be repeated. A run's folder has no users, groups, queues or "
        "partitions: name their log with --log",
    )
    parser.add_argument(
        "--log",
        type=a_path,
        metavar="LOG",
        help="the log or workload of the runs, which has the users and queues of jobs",
    )
    parser.add_argument(
        "--replication", type=a_number, default=0, metavar="N", help="replication to compare, from 0 (default: 0)"
    )
    form = parser.add_mutually_exclusive_group()
    for option, meaning in (("json", "JSON, for programs"), ("csv", "CSV: a line for each run and group of jobs")):
        said = f"print {meaning}; with FILE, write it there and print the comparison in words"
        form.add_argument(f"--{option}", nargs="?", const=STDOUT, type=a_path, metavar="FILE", help=said)
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare two schedules of the same jobs. Return 1 when a schedule of another program breaks a rule, else 0."""
    from scheduler_core.runs.comparison import compare, read_sides

    if arguments.others or arguments.by or arguments.csv:
        return compare_all(arguments)
    sides = read_sides(arguments.a, arguments.b, arguments.replication)
    comparison = compare(*sides)
    if not given(arguments, comparison):
        tell(f"{answer_of(*sides)}\n")
        show(comparison)
        for name, side in zip("AB", sides, strict=True):
            show_rules(name, side)
    return FAILED if any(side.broken for side in sides) else 0


def compare_all(arguments: argparse.Namespace) -> int:
    """Compare each run with the first, job by job. Return 1 when a schedule of another program breaks a rule, else 0."""
    from slotwise.planning.paired import compare_runs

    log = None if arguments.log is None else read_source(arguments.log, None)
    paths = (arguments.a, arguments.b, *arguments.others)
    found = compare_runs(paths, arguments.replication, log, arguments.by)
    if not given(arguments, found.to_dict(), found.comma_separated()):
        show_runs(found)
        for name, side in found.sides.items():
            show_rules(name, side)
    return FAILED if any(side.broken for side in found.sides.values()) else 0


def given(arguments: argparse.Namespace, data: dict[str, Any], lines: str = "") -> bool:
    """Print or write what ``--json`` or ``--csv`` ask for; return whether it was printed, so that no words go with it."""
    from scheduler_core.common.files import target_file, write_text

    path = arguments.json or arguments.csv
    if path is None:
        return False
    text = f"{json.dumps(data, indent=2)}\n" if arguments.json else lines
    if path == STDOUT:
        print(text, end="")
        return True
    target_file(path)
    refuse_existing([path], arguments.force)
    write_text(path, text)
    print(f"written to {path}\n")
    return False


def answer_of(a: Side, b: Side) -> str:
    """Return in a sentence what the second run does to the mean wait of the jobs that end in both."""
    from scheduler_core.runs.comparison import refuse_other_jobs
    from slotwise.planning.effects import effect_of
    from slotwise.planning.words import effect_sentence

    refuse_other_jobs(a, b)
    return effect_sentence("A", "B", effect_of(a.workload, a.schedule, b.schedule, None))


def show_runs(found: Comparison) -> None:
    """Print what each run does to waits, against the first: first in words, then as tables."""
    from slotwise.planning.words import effect_sentence, short_change

    for name, side in found.sides.items():
        print(f"{name} = {side.title}")
        for warning in side.warnings:
            print(f"WARNING: {name}: {warning}")
    print()
    for name, effect in found.effects.items():
        tell(effect_sentence("A", name, effect))
    print()
    tell("Means of the jobs that end in both runs: waits and responses in hours, changes against A with 95 % CIs")
    metrics = ("wait_h", "response_h", "slowdown")
    first = next(iter(found.effects.values()))
    wait, response, slowdown = (format_number(first.ratios[metric].before) for metric in metrics)
    rows = [("A", wait, "", response, slowdown, "")]
    for name, effect in found.effects.items():
        wait, response, slowdown = (format_number(effect.ratios[metric].after) for metric in metrics)
        changes = [short_change(effect.ratios[metric]) for metric in ("wait_h", "slowdown")]
        rows.append((name, wait, changes[0], response, slowdown, changes[1]))
    print_table(("run", "wait", "change", "response", "slowdown", "change"), rows)
    for kind in found.kinds:
        print(f"\nMean wait in hours by {kind}")
        columns, table = found.groups(kind)
        print_table(
            columns, [[cell if isinstance(cell, str) else format_number(cell) for cell in row] for row in table]
        )


def show_rules(name: str, side: Side) -> None:
    """Print which rules another program's schedule keeps, or which it breaks, with the first rows."""
    from scheduler_core.checker.certificate import describe_broken

    if side.broken:
        print(
            f"\n{name} is not a legal schedule of these jobs (feasible and correctly accounted), so its metrics mean little:"
        )
        print("\n".join(describe_broken(side.findings)))
    elif side.findings:
        print(f"\n{name} keeps the {len(side.findings)} rules that apply to another program's schedule")


def show_starts(comparison: dict[str, Any]) -> None:
    """Print how many jobs start at the same time, in one schedule only, or in neither."""
    common, same = comparison["jobs_in_both"], comparison["same_start"]
    share = f" ({same / common:.2%})" if common else ""
    print(f"{same:,} of {counted(common, 'job')}{share} start at the same time in A and B")
    for key, where in (("only_a", "in A only"), ("only_b", "in B only"), ("in_neither", "in neither A nor B")):
        if count := comparison[f"started_{key}"]:
            print(f"{counted(count, 'job')} started {where}")


def show(comparison: dict[str, Any]) -> None:
    """Print a comparison as tables."""
    show_sides(comparison)
    show_starts(comparison)
    show_differences(comparison)
    show_metrics(comparison)


def show_sides(comparison: dict[str, Any]) -> None:
    """Print what A and B are, with warnings and what became of the lines of their logs."""
    for side, what in comparison["sides"].items():
        print(f"{side.upper()} = {what['title']}")
        for warning in what["warnings"]:
            print(f"WARNING: {side.upper()}: {warning}")
    logs = comparison["accounting"]
    whose = {"A and B": logs["a"]} if logs["a"] == logs["b"] else {side.upper(): logs[side] for side in logs}
    for side, counts in whose.items():
        if counts:
            tell(describe(f"log of {side}", counts))
            if words := left_out_words(counts, f"the log of {side}"):
                tell(words)


def show_differences(comparison: dict[str, Any]) -> None:
    """Print the jobs in one schedule only, the first jobs with different starts, and the largest shift."""
    for side in ("only_a", "only_b"):
        if comparison[side]:
            print(f"{counted(comparison[side], 'job')} only in {side[-1].upper()}")
    if comparison["first_differences"]:
        print("\nfirst to differ, by time:")
        rows = [
            (str(row["job"]), *[format_number(row[name]) for name in ("start_a_s", "start_b_s", "difference_s")])
            for row in comparison["first_differences"]
        ]
        print_table(("job", "start in A, s", "start in B, s", "B - A, s"), rows)
    if largest := comparison["largest"]:
        print(f"\nlargest shift: job {largest['job']}, {a_value('shift_s', largest['difference_s'])}")


def a_value(metric: str, value: float | int | None) -> str:
    """Return the value of a metric with its unit, long times as people say them."""
    unit = unit_split(metric)[1] if value is not None else ""
    return read_aloud(metric, value) or f"{format_number(value)} {unit}".rstrip()


def show_metrics(comparison: dict[str, Any]) -> None:
    """Print the metrics of A and B, the jobs they cover, and how wait is defined."""
    print()
    rows = [
        (unit_split(name)[0], *[a_value(name, values[side]) for side in ("a", "b", "difference")])
        for name, values in comparison["metrics"].items()
    ]
    print_table(("metric", "A", "B", "B - A"), rows)
    ended = comparison["ended"]
    if len(set(ended.values())) > 1:
        print(
            f"\nNOTE: metrics of times cover the jobs that ended, {ended['a']:,} in A, {ended['b']:,} in B, {ended['both']:,} in "
            "both: these are not the same jobs"
        )
    waits = {side.upper(): what["wait"] for side, what in comparison["sides"].items()}
    if len(set(waits.values())) == 1:
        print(f"\nwait: {waits['A']}")
    else:
        print(f"\nwait in A: {waits['A']}\nwait in B: {waits['B']}")
