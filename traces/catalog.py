"""The catalogue of job logs, and finding a log on this machine."""

from __future__ import annotations

import os
import re
import typing
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scheduler_core.common.errors import LogError, StudyError, nearest
from traces.swf_file import log_name

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = Path(__file__).with_name("catalog.yaml")
SHIPPED = Path(__file__).with_name("drawn")
"""The folder of the log that ships with slotwise."""

FOLDERS_VARIABLE = "SLOTWISE_TRACES"
"""Environment variable with the folders of logs."""


@dataclass(frozen=True)
class LogEntry:
    """A log of the catalogue.

    ``bytes`` and ``sha256`` are of the unpacked text; ``jobs`` counts its job lines, before any is rejected; ``start``
    is the instant of submission time 0, in seconds since 1970. ``citation`` is how to cite this log. ``schedule`` says what
    made the schedule that the log records where that was no machine but a simulator, else it is empty. ``url`` is empty for
    the log that slotwise drew and ships.
    ``archive``, ``archive_terms`` and ``archive_citation`` are those of the archive the log comes from, unless the entry
    states its own.
    """

    name: str
    label: str
    file: str
    page: str
    url: str
    sha256: str
    bytes: int
    computer: str
    installation: str
    processors: int
    processors_per_node: int
    jobs: int
    start: int
    time_zone: str
    units: str
    quirks: tuple[str, ...]
    terms: str
    contributor: str
    citation: str
    schedule: str
    archive: str
    archive_terms: str
    archive_citation: str

    @property
    def drawn(self) -> bool:
        """Whether slotwise drew this log, so that it is no evidence on real logs; it ships with slotwise."""
        return not self.url

    @property
    def machine(self) -> str:
        """Name of the machine: computer, installation."""
        return f"{self.computer}, {self.installation}"

    @property
    def stem(self) -> str:
        """The file's name without what says how it is packed."""
        return log_name(self.file)

    @property
    def acknowledgement(self) -> str:
        """The sentence the archive asks for."""
        if self.drawn:
            return "slotwise drew this log; no machine recorded it."
        return (
            f"The workload log from {self.machine} was graciously provided by {self.contributor}, "
            f"by way of the {self.archive}."
        )


SHARED = ("archive", "archive_terms", "archive_citation")
"""Fields of an entry that the catalogue states once, under ``archive``; an entry may state its own."""


@cache
def catalog() -> dict[str, LogEntry]:
    """Return the catalogue: name -> entry.

    Raise :class:`StudyError` when the catalogue is wrong; the text names file, log and key.
    """
    return read_catalog(CATALOGUE)


def read_catalog(path: Path) -> dict[str, LogEntry]:
    """Read a catalogue file; see :func:`catalog`."""
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise StudyError(f"{path}: the catalogue cannot be read ({error})") from error
    top = section(path, content, "the catalogue", {"archive", "logs"})
    archive = section(path, top["archive"], "archive", {"name", "page", "terms", "citation"})
    shared = {"archive": archive["name"], "archive_terms": archive["terms"], "archive_citation": archive["citation"]}
    if not isinstance(top["logs"], Mapping):
        raise StudyError(f"{path}: logs: expected names with entries; found {top['logs']!r}")
    entries = {str(name): make_entry(path, str(name), entry, shared) for name, entry in top["logs"].items()}
    labels: dict[str, str] = {}
    for entry in entries.values():
        if labels.setdefault(entry.label, entry.name) != entry.name:
            raise StudyError(f"{path}: {entry.name}: label '{entry.label}' is already that of {labels[entry.label]}")
    return entries


def section(path: Path, value: Any, where: str, keys: set[str]) -> Mapping[str, Any]:
    """Return a mapping that has exactly these keys; raise :class:`StudyError` for a missing or unknown one."""
    if not isinstance(value, Mapping):
        raise StudyError(f"{path}: {where}: expected keys with values; found {value!r}")
    for key in value:
        if key not in keys:
            raise StudyError(f"{path}: {where}: there is no key '{key}'; {nearest(str(key), keys)}")
    for key in sorted(keys - set(value)):
        raise StudyError(f"{path}: {where}: key '{key}' is missing")
    return value


def make_entry(path: Path, name: str, value: Any, shared: dict[str, str]) -> LogEntry:
    """Return an entry of the catalogue after checking every value."""
    keys = {entry.name for entry in fields(LogEntry)} - {"name"}
    stated = {"schedule": "", **shared, **value} if isinstance(value, Mapping) else value
    given = {"name": name, **section(path, stated, name, keys)}
    hints = typing.get_type_hints(LogEntry)
    for key, found in given.items():
        expected = {str: "text", int: "a whole number"}.get(hints[key], "a list of sentences")
        kind = hints[key] if hints[key] in (str, int) else list
        if type(found) is not kind or (kind is list and not all(isinstance(line, str) for line in found)):
            raise StudyError(f"{path}: {name}: {key}: expected {expected}; found {found!r}")
    check_values(path, name, given)
    return LogEntry(**{**given, "quirks": tuple(given["quirks"])})


def check_values(path: Path, name: str, given: dict[str, Any]) -> None:
    """Check values beyond their types."""
    rules = {
        "sha256": (re.fullmatch("[0-9a-f]{64}", given["sha256"]), "64 hexadecimal digits in lower case"),
        "file": (re.fullmatch(r"[\w.-]+\.swf(\.gz)?", given["file"]), f"{name}.swf.gz, or another file of that kind"),
        "url": (re.match("$|(https?|file)://", given["url"]), "an address that begins with https://"),
        "label": (given["label"].strip(), "a label"),
        "contributor": (given["contributor"].strip(), "whom to acknowledge"),
        "citation": (given["citation"].strip(), "how to cite the log"),
        "bytes": (given["bytes"] >= 1, "at least 1"),
        "processors": (given["processors"] >= 1, "at least 1"),
        "processors_per_node": (given["processors_per_node"] >= 1, "at least 1"),
        "jobs": (given["jobs"] >= 1, "at least 1"),
    }
    for key, (holds, expected) in rules.items():
        if not holds:
            raise StudyError(f"{path}: {name}: {key}: expected {expected}; found {given[key]!r}")


def known_log(word: str) -> LogEntry | None:
    """Return the entry of a log by its name, file name or label in any case; None for an unknown log."""
    for entry in catalog().values():
        words = (entry.name, entry.label, entry.file, entry.name + ".swf")
        if word.casefold() in map(str.casefold, words):
            return entry
    return None


def get_log(word: str) -> LogEntry:
    """Return the entry of a log by its name, file name or label.

    Raise :class:`LogError` when the catalogue has no such log; the message names the nearest.
    """
    entry = known_log(word)
    if entry is None:
        words = [*catalog(), *(entry.label for entry in catalog().values())]
        raise LogError(f"the catalogue has no log '{word}'; {nearest(word, words)}")
    return entry


def download_folder() -> Path:
    """Return the folder for downloaded logs: ``traces/logs`` in a checkout, the user's cache for an installed package."""
    if next(ROOT.glob("slotwise-*.dist-info"), None) is None:
        return ROOT / "traces" / "logs"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "slotwise" / "logs"


def folders() -> list[Path]:
    """Return the folders to search: those of ``SLOTWISE_TRACES``, downloads, ``../shared/traces`` and ``../shared/golden``."""
    named = [Path(word) for word in os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep) if word]
    return [*named, download_folder(), *(ROOT.parent / "shared" / name for name in ("traces", "golden"))]


def find_log(name: str) -> Path | None:
    """Return the path of a log in :func:`folders`, packed or unpacked (``.swf.gz``, ``.swf``); None when it is in none.

    ``name`` is anything that :func:`known_log` accepts. The drawn log ships with slotwise. The reader checks the text later.
    """
    entry = known_log(name)
    stem = entry.stem if entry else name
    for folder in [SHIPPED] if entry and entry.drawn else folders():
        for file in (f"{stem}.swf.gz", f"{stem}.swf"):
            if (folder / file).is_file():
                return folder / file
    return None


def missing_workload(entry: LogEntry) -> Workload:
    """Return the workload of a missing log: no jobs, on the log's machine."""
    import polars as pl

    from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload

    machine = Machine(entry.processors, entry.machine, entry.processors_per_node)
    provenance = {"kind": "log", "source": entry.name, "file": entry.file, "sha256": entry.sha256, "missing": True}
    return Workload(pl.DataFrame(schema=WORKLOAD_COLUMNS), machine, provenance)
