"""Finding a log on this machine or downloading it from the archive; otherwise explaining how to get it."""

import http.client
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, BinaryIO

from scheduler_core.common.errors import LogError, OutputError
from scheduler_core.common.files import replacing
from traces.catalog import FOLDERS_VARIABLE, LogEntry, download_folder, find_log, folders, get_log
from traces.swf_file import log_name, read_text

TIMEOUT_S = 10.0
"""Longest wait for the archive to answer, and for each piece, in seconds."""

PIECE = 1 << 18


def locate(name: str | LogEntry, *, require: bool = False) -> dict[str, Any]:
    """Return where a log of the catalogue is, downloading it if it is not on this machine.

    ``name`` is the log's name, file name or label, or its entry. The note has ``log``, ``found``, ``path`` (None when not found),
    ``downloaded``, ``looked_in`` (folders), ``download`` (the URL) and ``error`` (None, or what is wrong and how to get the
    log). Raise :class:`LogError` when the catalogue has no such log; with ``require``, when the log is missing.
    """
    entry = name if isinstance(name, LogEntry) else get_log(name)
    path, downloaded, reason = find_log(entry.name), False, ""
    if path is None:
        try:
            path, downloaded = fetch(entry), True
        except LogError as error:
            reason = str(error)
    missing = None if path else how_to_get(entry, reason)
    more = {"downloaded": downloaded, "looked_in": [str(folder) for folder in folders()], "download": entry.url}
    return note(entry.name, path, missing, more, require)


def locate_file(path: Path, require: bool) -> dict[str, Any]:
    """Return the note of :func:`locate` for the path of a log."""
    found = path if path.is_file() else None
    error = None if found else f"{path}: there is no such file; put the log there, or correct the path"
    more = {"downloaded": False, "looked_in": [str(path.parent)], "download": None}
    return note(log_name(path.name), found, error, more, require)


def note(log: str, path: Path | None, error: str | None, more: dict[str, Any], require: bool) -> dict[str, Any]:
    """Return where a log is, with ``more`` about the search; with ``require``, raise the error of a missing log."""
    if require and error:
        raise LogError(error)
    return {"log": log, "found": path is not None, "path": str(path) if path else None, **more, "error": error}


def how_to_get(entry: LogEntry, reason: str) -> str:
    """Return the message about a missing log: what was tried, and what the user can do."""
    tried = ", ".join(str(folder) for folder in folders())
    return (
        f"{entry.name}: the log is in none of {tried}, and was not downloaded ({reason}). Download {entry.url} "
        f"(page {entry.page}) and put it into {download_folder()}, or set {FOLDERS_VARIABLE} to the folder that holds it"
    )


def fetch(entry: LogEntry) -> Path:
    """Download a log and return its path; a file appears only if it is complete and has the right text.

    Raise :class:`LogError` when the server does not answer, or the file is cut or not the log.
    """
    target = download_folder() / entry.file
    try:
        with replacing(target) as temporary:
            with temporary.open("wb") as file:
                download(entry.url, file)
            check(entry, temporary, downloaded=True)
    except (OSError, OutputError) as error:
        raise LogError(f"{entry.url}: the download into {target.parent} failed ({error})") from error
    return target


def download(url: str, target: BinaryIO) -> None:
    """Download a URL into an open file; raise :class:`LogError` when the server does not answer or breaks off."""
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
            promised = answer.headers.get("Content-Length")
            received = 0
            while piece := answer.read(PIECE):
                target.write(piece)
                received += len(piece)
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
        raise LogError(f"{url}: {getattr(error, 'reason', None) or error}") from error
    if promised is not None and promised.isdecimal() and received != int(promised):
        raise LogError(f"{url}: the download broke off after {received} of {promised} bytes")


def check(entry: LogEntry, path: Path, *, downloaded: bool = False) -> None:
    """Raise :class:`LogError` unless a file has the log's text; of a download it names the URL, not the temporary file."""
    where, what = (entry.url, "the download") if downloaded else (str(path), "this file")
    try:
        text = read_text(path)
    except LogError as error:
        raise LogError(str(error).replace(str(path), where)) from error
    if text.sha256 != entry.sha256:
        raise LogError(
            f"{where}: {what} is not the log {entry.name}: {len(text.data)} bytes of text with sha256 {text.sha256}, "
            f"expected {entry.bytes} bytes with {entry.sha256}"
        )
