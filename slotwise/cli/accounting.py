"""Printing what became of the lines of a log; every command that reads a log shares it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from scheduler_core.declarations.words import counted
from slotwise.cli.words import print_table, tell

if TYPE_CHECKING:
    import argparse

    from scheduler_core.contracts import Workload


def add_verbose(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--verbose``."""
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="show what became of the log's lines in full, with the meaning of each rule (default: one line)",
    )


def show_accounting(workload: Workload, verbose: bool) -> None:
    """Print what became of the lines of a workload's log; print nothing for a workload from a model."""
    counts = counts_of(workload)
    if counts is None:
        return
    tell(describe(source_of(workload), counts))
    if verbose:
        print()
        show_table(counts)
        print()


def describe(source: str, counts: Mapping[str, Any]) -> str:
    """Return one line that says what became of a log's lines."""
    from traces.accounting import summary

    return f"{source}: {summary(counts)}"


def counts_of(workload: Workload) -> dict[str, Any] | None:
    """Return the accounting of a workload's log; None for a workload from a model."""
    counts: dict[str, Any] | None = workload.provenance.get("accounting")
    return counts


def source_of(workload: Workload) -> str:
    """Return the name of a workload's log."""
    return str(workload.provenance.get("file") or workload.provenance.get("source") or "log")


def left_out_words(counts: Mapping[str, Any] | None, log: str = "the log") -> str:
    """Return a sentence about the lines of a log that became no job; empty when there are none."""
    lines = sum(counts["rejected"].values()) if counts else 0
    are = "is" if lines == 1 else "are"
    return f"{counted(lines, 'line')} of {log} {are} left out of the workload and of every metric" if lines else ""


def show_table(
    counts: Mapping[str, Any],
    examples: Mapping[str, list[dict[str, Any]]] | None = None,
    header_examples: Mapping[str, list[dict[str, Any]]] | None = None,
) -> None:
    """Print what became of the lines as a table that adds up, then each rule with its meaning and its first lines."""
    from traces.accounting import HEADER_REJECTIONS, HEADER_REPAIRS, REJECTIONS, REPAIRS, selection_words

    show_fates("lines", fates(counts), REPAIRS | REJECTIONS, examples or {})
    if counts.get("left_out"):
        print(f"\n{selection_words(counts)}: lines that were read, but are no jobs of the workload")
    print()
    show_fates(
        "lines of the header", fates(counts["header"]), HEADER_REPAIRS | HEADER_REJECTIONS, header_examples or {}
    )


def fates(counts: Mapping[str, Any]) -> Iterator[tuple[str, str, int]]:
    """Yield (fate, rule, lines) of a log's lines, without a rule for those that none concerned, and the sum."""
    yield from ((fate, "", counts[fate]) for fate in ("comments", "kept") if fate in counts)
    for fate in ("repaired", "rejected"):
        yield from ((fate, rule, lines) for rule, lines in counts[fate].items())
    yield "all", "", counts["lines"]


def show_fates(
    what: str, rows: Iterable[tuple[str, str, int]], meanings: Mapping[str, str], examples: Mapping[str, Any]
) -> None:
    """Print what became of some lines as a table, then the meaning of each rule that applied, with its first lines."""
    rows = list(rows)
    print_table((what, "rule", "count"), [(fate, rule, f"{lines:,}") for fate, rule, lines in rows])
    rules = [rule for _, rule, _ in rows if rule]
    if rules:
        print()
    for rule in rules:
        print(f"{rule}: {meanings[rule]}")
        for example in examples.get(rule, []):
            print(f"    line {example['line']:,}{': ' if example['found'] else ''}{example['found']}")
