"""`slotwise logs [NAME] [--json]` and `slotwise logs fetch [NAME ...]`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import textwrap
from typing import TYPE_CHECKING, Any

from slotwise.cli.words import print_table, tell

if TYPE_CHECKING:
    from traces.catalog import LogEntry

WIDTH = 100


FETCH = "fetch"
"""The word that fetches logs instead of showing them; no log has this name."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="LOG",
        help="show one log in full; `fetch` downloads and verifies the logs named after it, by default all",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """List the logs of the catalogue, show one in full, or fetch some."""
    from scheduler_core.common.errors import ParameterError
    from traces.catalog import catalog, get_log

    names = arguments.names
    if names[:1] == [FETCH]:
        if arguments.json:
            raise ParameterError("--json: `slotwise logs fetch` prints no JSON; leave the option out")
        return fetch_logs([get_log(name) for name in names[1:]] or list(catalog().values()))
    if len(names) > 1:
        raise ParameterError(
            f"expected one log to show; found {', '.join(names)}. `slotwise logs fetch NAME ...` takes several"
        )
    entries = [get_log(names[0])] if names else list(catalog().values())
    if arguments.json:
        print(json.dumps([as_data(entry) for entry in entries], indent=2))
    elif names:
        show(entries[0])
    else:
        rows = [
            (entry.label, f"{entry.processors:,}", f"{entry.jobs:,}", "yes" if place(entry) else "no", entry.machine)
            for entry in entries
        ]
        print_table(("log", "processors", "jobs", "here", "machine"), rows, text_last=True)
        tell(
            "\n`slotwise logs NAME` shows the citation, terms and quirks of a log; `slotwise logs fetch` downloads missing ones."
        )
    return 0


def fetch_logs(entries: list[LogEntry]) -> int:
    """Print size, sha256 and terms of logs, download the missing ones and verify all; return the exit code."""
    from scheduler_core.common.errors import LogError
    from traces.catalog import download_folder, find_log
    from traces.fetch import check, fetch

    rows = [(entry.label, f"{entry.bytes:,}", entry.sha256, "here" if place(entry) else entry.url) for entry in entries]
    print_table(("log", "bytes, unpacked", "sha256, unpacked", "from"), rows, left=1)
    by_terms: dict[str, list[str]] = {}
    for entry in entries:
        by_terms.setdefault(f"{entry.archive}: {entry.archive_terms} {entry.terms}", []).append(entry.label)
    for terms, labels in by_terms.items():
        print("\n" + textwrap.fill(f"Terms of {', '.join(labels)}. {terms}", WIDTH))
    print(f"\nMissing logs go to {download_folder()}.", flush=True)
    failed = 0
    for entry in entries:
        try:
            found = find_log(entry.name)
            if found is None:
                found, word = fetch(entry), "downloaded and verified"
            else:
                check(entry, found)
                word = "verified"
            print(f"{entry.label}: {word}, {found}", flush=True)
        except LogError as error:
            failed += 1
            print(f"{entry.label}: {error}", file=sys.stderr)
    if failed:
        print(f"slotwise logs: {failed} of {len(entries)} logs were not fetched; download them by hand and put them into "
              f"{download_folder()}, or set SLOTWISE_TRACES to their folder", file=sys.stderr)  # fmt: skip
    return 2 if failed else 0


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
