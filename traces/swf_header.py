"""The header comments of an SWF file, and the machine they describe."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

Header = dict[str, str | list[str]]

KEY = re.compile(r"([A-Za-z][\w -]*?)\s*:(?!//)\s*(.*)")
"""``Key: value``, but not an address."""

KNOWN_KEYS = frozenset(
    (
        *("Version", "Computer", "Installation", "Acknowledge", "Information", "Conversion", "MaxJobs", "MaxRecords"),
        *("Preemption", "UnixStartTime", "TimeZone", "TimeZoneString", "StartTime", "EndTime", "MaxNodes", "MaxProcs"),
        *("MaxRuntime", "MaxMemory", "AllowOveruse", "MaxQueues", "Queues", "Queue", "MaxPartitions", "Partitions"),
        *("Partition", "Note", "Copyright"),
    )
)
"""Keys of the format's definition, and the archive's own; these count as keys however far they are indented."""

FACTS = (
    *("Computer", "Installation", "Acknowledge", "Copyright", "Conversion", "Information", "Version"),
    *("UnixStartTime", "TimeZone", "TimeZoneString", "StartTime", "EndTime", "MaxJobs", "MaxRecords", "Preemption"),
    *("MaxNodes", "MaxProcs", "Note"),
)
"""Header facts that ride in a workload's provenance."""

LARGEST_MACHINE = 2**31 - 1


def parse_header(comments: Iterable[str]) -> Header:
    """Read header comments.

    An indented comment without a key of its own continues the one above it (the copyright notices, the filters of the
    cleaned logs); a comment that neither has a key nor continues one goes under ``Comment``.

    Parameters
    ----------
    comments
        The lines, from their semicolon on.

    Returns
    -------
    dict
        Key -> value, or key -> list of values where the key is repeated (``Queue``, ``Note``).
    """
    entries: list[list[str]] = []
    for line in comments:
        body = line.lstrip("; \t") if line.startswith(";;") else line[1:]
        text = body.strip()
        if not text:
            continue
        indented = len(body) - len(body.lstrip()) >= 2
        match = KEY.fullmatch(text)
        if match and (not indented or match[1] in KNOWN_KEYS):
            entries.append([match[1], match[2]])
        elif indented and entries:
            entries[-1][1] = f"{entries[-1][1]}\n{text}".strip()
        else:
            entries.append(["Comment", text])
    return collect(entries)


def collect(entries: list[list[str]]) -> Header:
    """Gather values under their keys, in the order of first appearance."""
    header: Header = {}
    for key, value in entries:
        if key not in header:
            header[key] = value
            continue
        before = header[key]
        header[key] = [*before, value] if isinstance(before, list) else [before, value]
    return header


def leading_number(header: Header, key: str) -> int | None:
    """Read the number a header value starts with: ``1664 (72, 1368, 224)`` -> 1664; None when there is none above 0."""
    value = header.get(key, "")
    match = re.match(r"(\d{1,10})(?!\d)", value[0] if isinstance(value, list) else value)
    number = int(match[1]) if match else 0
    return number if 1 <= number <= LARGEST_MACHINE else None


def machine_processors(header: Header) -> int | None:
    """Give the machine's processors: ``MaxProcs``, else ``MaxNodes``, else None."""
    return leading_number(header, "MaxProcs") or leading_number(header, "MaxNodes")


def processors_per_node(header: Header) -> int:
    """Give the processors a node: ``MaxProcs`` / ``MaxNodes`` where that is whole, else 1 (nodes that differ)."""
    processors, nodes = leading_number(header, "MaxProcs"), leading_number(header, "MaxNodes")
    return processors // nodes if processors and nodes and processors % nodes == 0 else 1


def machine_name(header: Header) -> str:
    """Name the machine as the log does: computer, installation."""
    words = [header[key] for key in ("Computer", "Installation") if key in header]
    return ", ".join(word if isinstance(word, str) else word[0] for word in words)


def facts(header: Header) -> dict[str, Any]:
    """Pick the facts that ride in a workload's provenance."""
    return {key: header[key] for key in FACTS if key in header}
