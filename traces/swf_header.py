"""The header comments of an SWF file: their text, their usable values, and the machine they describe.

A header is text. This module decides once which values can be used: each becomes a number or a known time zone, or a rule
rejects it and counts it (:class:`traces.accounting.HeaderAccounting`). So nothing parses the header again later.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from traces.accounting import EXAMPLES, HEADER_REJECTIONS, HeaderAccounting

Value = str | int

KEY = re.compile(r"[A-Za-z][\w -]*")

TEXTS = (
    *("Computer", "Installation", "Acknowledge", "Copyright", "Conversion", "Information", "Version"),
    *("StartTime", "EndTime", "Preemption", "Note"),
)
"""Keys whose text the provenance of a workload carries."""

FIRST_START, LAST_START = 0, 4_102_444_800
"""Seconds since 1970 at which a log may start: until the year 2100."""

LARGEST_MACHINE = 2**31 - 1

GPU_JOBS = "GPUJobs"
"""How many jobs of an imported log have GPUs, which the log does not schedule; a key of slotwise."""

NUMBERS: dict[str, tuple[int, int]] = {
    "UnixStartTime": (FIRST_START, LAST_START),
    "TimeZone": (-50_400, 50_400),  # seconds east of Greenwich
    "MaxJobs": (0, 10**12),
    "MaxRecords": (0, 10**12),
    "MaxNodes": (1, LARGEST_MACHINE),
    "MaxProcs": (1, LARGEST_MACHINE),
    GPU_JOBS: (0, 10**12),
}
"""Keys with a whole number, and its range."""

ZONE = "TimeZoneString"

KNOWN_KEYS = frozenset(
    (
        *(*TEXTS, *NUMBERS, ZONE),
        *("MaxRuntime", "MaxMemory", "AllowOveruse", "MaxQueues", "Queues", "Queue"),
        *("MaxPartitions", "Partitions", "Partition"),
    )
)
"""Keys of the format and of the archive; they count as keys at any indentation."""

SPELLINGS = {key.casefold(): key for key in KNOWN_KEYS}

NUMBER = re.compile(r"([+-]?\d+(?:,\d{3})*(?:\.\d*)?)(?:$|[\s(;]|,\s)", re.ASCII)
INFINITE = re.compile(r"[+-]?(nan|inf|infinity)\b", re.IGNORECASE)
MOST_DIGITS = 30


@dataclass
class Entry:
    """A key with the lines of its value, and its first line (counted from 0)."""

    line: int
    key: str
    lines: list[str]

    @property
    def value(self) -> str:
        """The value."""
        return "\n".join(self.lines).strip()


@dataclass(frozen=True)
class Header:
    """The header of a log.

    ``text`` has every key with its value as written, a list for a repeated key. ``values`` has the usable values by key:
    numbers of :data:`NUMBERS`, a known time zone, texts of :data:`TEXTS`. ``accounting`` counts the lines.
    """

    text: dict[str, str | list[str]]
    values: dict[str, Any]
    accounting: HeaderAccounting


def read_header(comments: Iterable[tuple[int, str]]) -> Header:
    """Return the header of comments: pairs of a line's number (counted from 0) and its text from the semicolon on."""
    lines = list(comments)
    entries = parse_entries(lines)
    values: dict[str, Any] = {}
    rules: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.key in TEXTS:
            add(values, entry.key, entry.value)
        elif entry.key in NUMBERS or entry.key == ZONE:
            value, rule = (None, "repeated_key") if entry.key in values else usable(entry.key, entry.value)
            if value is not None:
                values[entry.key] = value
            if rule:
                rules.setdefault(rule, []).append(entry)
    text: dict[str, Any] = {}
    for entry in entries:
        add(text, entry.key, entry.value)
    return Header(text, values, count(len(lines), rules, size_words(values)))


def parse_entries(lines: Iterable[tuple[int, str]]) -> list[Entry]:
    """Return the keys and values of header comments.

    An indented comment without a key continues the one above it (copyright notices, the filters of cleaned logs). A comment
    that neither has a key nor continues one goes under ``Comment``.
    """
    entries: list[Entry] = []
    for number, line in lines:
        body = line.lstrip("; \t") if line.startswith(";;") else line[1:]
        text = body.strip()
        if not text:
            continue
        indented = len(body) - len(body.lstrip()) >= 2
        key, value = split_key(text)
        if key and (not indented or key.casefold() in SPELLINGS):
            entries.append(Entry(number, SPELLINGS.get(key.casefold(), key), [value]))
        elif indented and entries:
            entries[-1].lines.append(text)
        else:
            entries.append(Entry(number, "Comment", [text]))
    return entries


def split_key(text: str) -> tuple[str, str]:
    """Return the key and value of a text ``Key: value``; no key ("") for another text, such as a URL."""
    before, colon, after = text.partition(":")
    key = before.rstrip()
    found = colon and not after.startswith("//") and KEY.fullmatch(key)
    return (key, after.lstrip()) if found else ("", text)


def add(found: dict[str, Any], key: str, value: str) -> None:
    """Put a value under its key; several values of one key become a list."""
    if key not in found:
        found[key] = value
    elif isinstance(found[key], list):
        found[key].append(value)
    else:
        found[key] = [found[key], value]


def usable(key: str, text: str) -> tuple[Value | None, str]:
    """Return the value of a text and the rule that repaired it ("" if none), or None and the rule that rejects it."""
    if key == ZONE:
        return (text, "") if known_zone(text) else (None, "unknown_zone")
    match = NUMBER.match(text)
    if match is None:
        return None, "not_finite" if INFINITE.match(text) else "not_a_number"
    written = match[1]
    if len(written) > MOST_DIGITS:
        return None, "out_of_range"
    exact = Decimal(written.replace(",", ""))
    value = round(exact)
    least, most = NUMBERS[key]
    if not least <= value <= most:
        return None, "out_of_range"
    if "," in written:
        return value, "thousands_separators"
    if exact != value:
        return value, "rounded_number"
    return value, "words_after_number" if text != written else ""


def known_zone(name: str) -> bool:
    """Return whether a time zone of this name is known."""
    try:
        return ZoneInfo(name) is not None
    except (KeyError, OSError, ValueError):  # unknown zone, folder of zones, or malformed name
        return False


def count(lines: int, rules: dict[str, list[Entry]], size: str) -> HeaderAccounting:
    """Return what became of the lines of a header; comments without a usable key count as kept."""
    repaired = {rule: len(found) for rule, found in sorted(rules.items()) if rule not in HEADER_REJECTIONS}
    rejected = {rule: len(found) for rule, found in sorted(rules.items()) if rule in HEADER_REJECTIONS}
    return HeaderAccounting(
        lines=lines,
        kept=lines - sum(repaired.values()) - sum(rejected.values()),
        repaired=repaired,
        rejected=rejected,
        examples={rule: [quote(entry) for entry in found[:EXAMPLES]] for rule, found in sorted(rules.items())},
        size=size,
    )


def size_words(values: dict[str, Any]) -> str:
    """Return the key and value that give the machine its size; empty when none does."""
    return next((f"{key}: {values[key]}" for key in ("MaxProcs", "MaxNodes") if key in values), "")


def quote(entry: Entry) -> dict[str, Any]:
    """Return an entry for a message, with its line numbered from 1."""
    return {"line": entry.line + 1, "found": " ".join(f"{entry.key}: {entry.value}".split())[:160]}


def machine_processors(values: dict[str, Any]) -> int | None:
    """Return the machine's processors: ``MaxProcs``, else ``MaxNodes``, else None."""
    found: int | None = values.get("MaxProcs", values.get("MaxNodes"))
    return found


def processors_per_node(values: dict[str, Any]) -> int:
    """Return the processors per node: ``MaxProcs`` / ``MaxNodes`` if that is whole, else 1 (the nodes differ)."""
    processors, nodes = values.get("MaxProcs"), values.get("MaxNodes")
    return processors // nodes if processors and nodes and processors % nodes == 0 else 1


def machine_name(values: dict[str, Any]) -> str:
    """Return the name of the machine: computer, installation."""
    words = [values[key] for key in ("Computer", "Installation") if key in values]
    return ", ".join(word if isinstance(word, str) else word[0] for word in words)


def clock(values: dict[str, Any]) -> dict[str, Any] | None:
    """Return the local time at the log's time zero; None when the header does not say.

    ``start_s`` is in seconds since 1970. ``utc_offset_s`` is how far local time was ahead of UTC, in seconds. ``zone`` is the
    name of the time zone if the header has a known one, else its offset; without either it is empty and the offset 0.
    """
    if "UnixStartTime" not in values:
        return None
    start = values["UnixStartTime"]
    if ZONE in values:
        ahead = datetime.fromtimestamp(start, UTC).astimezone(ZoneInfo(values[ZONE])).utcoffset()
        return {"start_s": start, "utc_offset_s": int(ahead.total_seconds()) if ahead else 0, "zone": values[ZONE]}
    offset = values.get("TimeZone")
    zone = "" if offset is None else f"UTC{offset / 3600:+g} h"
    return {"start_s": start, "utc_offset_s": offset or 0, "zone": zone}
