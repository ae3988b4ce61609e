"""What became of the lines of a log, as every command says it that reads one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scheduler_core.declarations.words import counted
from slotwise.cli.words import print_table

if TYPE_CHECKING:
    import argparse

    from scheduler_core.contracts import Workload


def add_verbose(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--verbose``."""
    parser.add_argument(
        "--verbose", action="store_true", help="what became of the log's lines in full, each rule with its meaning"
    )


def show_accounting(workload: Workload, verbose: bool) -> None:
    """Say what became of the lines of the log a workload comes from; nothing for a workload that comes from a model."""
    counts = counts_of(workload)
    if counts is None:
        return
    print(describe(source_of(workload), counts))
    if verbose:
        print()
        show_table(counts)
        print()


def describe(source: str, counts: Mapping[str, Any]) -> str:
    """Say in a line what became of a log's lines."""
    from traces.accounting import summary

    return f"{source}: {summary(counts)}"


def counts_of(workload: Workload) -> dict[str, Any] | None:
    """Return the accounting of the log that a workload comes from; None where it comes from no log."""
    counts: dict[str, Any] | None = workload.provenance.get("accounting")
    return counts


def source_of(workload: Workload) -> str:
    """Return the name of the log that a workload comes from."""
    return str(workload.provenance.get("file") or workload.provenance.get("source") or "log")


def left_out_words(counts: Mapping[str, Any] | None, log: str = "the log") -> str:
    """Say how many lines of a log became no job, which no metric counts; nothing where there are none."""
    lines = sum(counts["rejected"].values()) if counts else 0
    return f"{counted(lines, 'line')} of {log} left out: no jobs of the workload, and in no metric" if lines else ""


def show_table(
    counts: Mapping[str, Any],
    examples: Mapping[str, list[dict[str, Any]]] | None = None,
    header_examples: Mapping[str, list[dict[str, Any]]] | None = None,
) -> None:
    """Print what became of the lines as a table that adds up, then the meaning of its rules and the first lines of each."""
    from traces.accounting import HEADER_REJECTIONS, HEADER_REPAIRS, REJECTIONS, REPAIRS

    rows = [("comments", "", f"{counts['comments']:,}"), ("kept", "", f"{counts['kept']:,}")]
    for fate in ("repaired", "rejected"):
        rows += [(fate, rule, f"{lines:,}") for rule, lines in counts[fate].items()]
    print_table(("lines", "rule", "count"), [*rows, ("all", "", f"{counts['lines']:,}")])
    show_rules(counts, REPAIRS | REJECTIONS, examples or {})
    header = counts["header"]
    rows = [("kept", "", f"{header['kept']:,}")]
    for fate in ("repaired", "rejected"):
        rows += [(fate, rule, f"{lines:,}") for rule, lines in header[fate].items()]
    print()
    print_table(("lines of the header", "rule", "count"), [*rows, ("all", "", f"{header['lines']:,}")])
    show_rules(header, HEADER_REPAIRS | HEADER_REJECTIONS, header_examples or {})


def show_rules(counts: Mapping[str, Any], meanings: Mapping[str, str], examples: Mapping[str, Any]) -> None:
    """Print the meaning of each rule that applied, and the first lines it applied to."""
    rules = [*counts["repaired"], *counts["rejected"]]
    if rules:
        print()
    for rule in rules:
        print(f"{rule}: {meanings[rule]}")
        for example in examples.get(rule, []):
            print(f"    line {example['line']:,}: {example['found']}")
