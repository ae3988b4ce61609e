"""`slotwise logs [NAME] [--json]`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import textwrap
from typing import TYPE_CHECKING, Any

from slotwise.cli.words import print_table

if TYPE_CHECKING:
    from traces.catalog import LogEntry

WIDTH = 100


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="show one log in full: citation, terms, quirks")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """List the logs of the catalogue, or show one in full."""
    from traces.catalog import catalog, get_log

    entries = [get_log(arguments.name)] if arguments.name else list(catalog().values())
    if arguments.json:
        print(json.dumps([as_data(entry) for entry in entries], indent=2))
    elif arguments.name:
        show(entries[0])
    else:
        rows = [
            (entry.label, entry.machine, f"{entry.processors:,}", f"{entry.jobs:,}", "yes" if place(entry) else "no")
            for entry in entries
        ]
        print_table(("log", "machine", "processors", "jobs", "on this machine"), rows, left=2)
        print("\n`slotwise logs NAME` shows the citation, terms and quirks of a log.")
    return 0


def place(entry: LogEntry) -> str | None:
    """Return the path of a log on this machine; None when it is not here."""
    from traces.catalog import find_log

    found = find_log(entry.name)
    return None if found is None else str(found)


def as_data(entry: LogEntry) -> dict[str, Any]:
    """Return an entry of the catalogue as plain data."""
    return {**dataclasses.asdict(entry), "acknowledgement": entry.acknowledgement, "path": place(entry)}


def show(entry: LogEntry) -> None:
    """Print an entry of the catalogue."""
    print(f"{entry.label} ({entry.name})")
    for what, text in (
        ("machine", f"{entry.machine}: {entry.processors:,} processors, {entry.processors_per_node} per node"),
        ("jobs", f"{entry.jobs:,}, before any is rejected"),
        ("file", place(entry) or f"not on this machine; {entry.url}"),
        ("page", entry.page),
        ("citation", entry.citation),
        ("archive", entry.archive_citation),
        ("acknowledge", entry.acknowledgement),
        ("terms", f"{entry.archive_terms} {entry.terms}"),
        *(("quirk", quirk) for quirk in entry.quirks),
    ):
        print(textwrap.fill(text.strip(), WIDTH, initial_indent=f"{what:>12}  ", subsequent_indent=" " * 14))
