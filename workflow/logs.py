"""Finds the logs of studies. A study names a log of the catalogue, which can be fetched, or the path of a file."""

from pathlib import Path
from typing import Any

from traces.catalog import find_log, known_log
from traces.swf_file import log_name


def log_id(name: str) -> str:
    """Return the id of a log: its name in the catalogue, or the name of its file without endings."""
    entry = known_log(name)
    return entry.name if entry else log_name(Path(name).name)


def local_file(name: str) -> Path | None:
    """Return the file of a log on this machine; ``None`` when it has to be fetched."""
    entry = known_log(name)
    return find_log(entry.name) if entry else Path(name)


def locate_log(name: str, *, require: bool) -> dict[str, Any]:
    """Return where a log is, as :func:`traces.fetch.locate`, after fetching a log of the catalogue if necessary.

    Raise :class:`LogError` with ``require`` when the log is missing; without it, only when a path leads to no file.
    """
    from traces.fetch import locate, locate_file

    return locate(name, require=require) if known_log(name) else locate_file(Path(name), require=True)
