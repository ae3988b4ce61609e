"""Write files whole or not at all, and replace only files that may be replaced.

Every writer of slotwise uses this module. It writes a file under a temporary name and renames it when it is complete. An
existing regular file may be replaced if it is writable and the command does not read it (:func:`keeping_inputs`); a folder, a
device, a pipe or a socket may not. Symbolic links are followed: the target is checked and replaced, and the link stays.
"""

import errno
import gzip
import hashlib
import json
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from scheduler_core.common.errors import ContractError, InputError, OutputError, SlotwiseError

KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)
"""What may be at a path instead of a regular file."""

Identity = tuple[int, int]
"""A file under any name: device and inode."""

INPUTS: ContextVar[dict[Identity, Path] | None] = ContextVar("inputs", default=None)
"""The files that the running command reads; None outside a command."""


@contextmanager
def keeping_inputs() -> Iterator[None]:
    """Protect every file that is read within the block (:func:`reading`) from being overwritten within it."""
    token = INPUTS.set({})
    try:
        yield
    finally:
        INPUTS.reset(token)


def reading(path: Path | str) -> Path:
    """Return ``path`` as a path, and note that it is read, so that the running command does not overwrite it.

    Raise :class:`InputError` for a device, a pipe or a socket, which may have no end or make the reader wait.
    """
    known, path = INPUTS.get(), Path(path)
    if (found := stat_of(path)) is not None:
        for is_kind, words in KINDS[1:]:
            if is_kind(found.st_mode):
                raise InputError(f"{path}: this is {words}; expected a regular file: save its content as one")
        if known is not None:
            known[found.st_dev, found.st_ino] = path
    return path


def stat_of(path: Path) -> os.stat_result | None:
    """Return the status of a path, links followed; None if there is nothing."""
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def target_file(path: Path | str) -> Path:
    """Return the file that writing to ``path`` creates or replaces, links followed.

    Raise :class:`OutputError` when it is no regular file, when the running command reads it, or when it is write-protected.
    """
    target = resolved(Path(path))
    found = stat_of(target)
    if found is None:
        refuse_file_in_the_way(path, target)
        return target
    for is_kind, words in KINDS:
        if is_kind(found.st_mode):
            raise OutputError(f"{path}: this is {words}, which is never overwritten; name another file")
    read = (INPUTS.get() or {}).get((found.st_dev, found.st_ino))
    if read is not None:
        raise OutputError(f"{path}: this is the file that is read ({read}), and it is kept; name another file")
    if not os.access(target, os.W_OK):
        raise OutputError(f"{path}: this file is write-protected, and it is kept; name another file")
    return target


def refuse_file_in_the_way(path: Path | str, target: Path) -> None:
    """Raise :class:`OutputError` when a parent folder of ``target`` is a file."""
    nearest = next((folder for folder in target.parents if stat_of(folder) is not None), None)
    if nearest is not None and not nearest.is_dir():
        raise OutputError(f"{path}: cannot be made, because there is a file in the way, {nearest}; name another")


def target_folder(path: Path | str) -> Path:
    """Return the folder for files, links followed; raise :class:`OutputError` when the path cannot be a folder."""
    target = resolved(Path(path))
    if not target.is_dir() and stat_of(target) is not None:
        raise OutputError(f"{path}: this is a file; expected a folder, or a name for one that can be made")
    refuse_file_in_the_way(path, target)
    return target


def resolved(path: Path) -> Path:
    """Return a path with its links followed."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, or a name with a zero byte
        raise OutputError(f"{path}: this path leads nowhere ({error}); name another file") from error


def part_of(target: Path) -> Path:
    """Return this process's temporary name beside ``target``."""
    return target.with_name(f".{target.name}.{os.getpid()}.part")


FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
"""Errors of the system when a disk, a file or a quota is full; polars and DuckDB name them in their text."""


@contextmanager
def naming_a_full_disk(path: Path | str, folder: Path) -> Iterator[None]:
    """Turn the error of a full disk, whichever library raises it, into an :class:`OutputError` with the file and what is free."""
    try:
        yield
    except Exception as error:
        number = getattr(error, "errno", None)
        said = re.search(r"os error (\d+)", str(error))
        numbers = {number, int(said[1]) if said else None} & set(FULL)
        words = next((os.strerror(each) for each in FULL if each in numbers or os.strerror(each) in str(error)), None)
        if words is None or isinstance(error, SlotwiseError):
            raise
        free = shutil.disk_usage(folder).free
        raise OutputError(
            f"{path}: cannot be written: {words}; {free / 1e6:,.1f} MB are free in {folder}. Free some, or name another folder"
        ) from error


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Yield a temporary name beside ``path``; rename it to ``path`` when the block ends without an error.

    Missing parent folders are made. On an error the temporary file is removed and ``path`` is untouched.
    :func:`target_file` says which paths are refused.
    """
    target = target_file(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = part_of(target)
    try:
        with naming_a_full_disk(path, target.parent):
            yield temporary
            temporary.replace(target_file(path))
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path | str) -> Iterator[Path]:
    """Yield an empty folder beside ``path``; it replaces ``path`` when the block ends without an error."""
    target = target_folder(path)
    part = part_of(target)
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        with naming_a_full_disk(path, target.parent):
            yield part
            shutil.rmtree(target, ignore_errors=True)
            part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def remove(path: Path | str) -> None:
    """Remove a file of an earlier run, if there is one; a file that must not be replaced is not removed either."""
    if os.path.lexists(path):
        target_file(path).unlink(missing_ok=True)


def remove_folder(path: Path | str) -> None:
    """Remove a folder of results with all its content, if there is one."""
    shutil.rmtree(target_folder(path), ignore_errors=True)


def link(place: Path, target: Path) -> None:
    """Make ``place`` a symbolic link to a file or folder, unless it already leads there; replace only an earlier link."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists() and place.samefile(target):
        return
    if place.is_symlink():
        place.unlink()
    place.symlink_to(target.resolve())


def opened_to_lock(path: Path) -> int:
    """Return a file descriptor of a file for locks, which is made, with its folder, if it is missing."""
    target = target_file(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    return os.open(target, os.O_RDWR | os.O_CREAT, 0o666)


def remove_leftovers(folder: Path | str) -> None:
    """Remove the half-written files of killed processes below a folder; running processes keep theirs."""
    for part in list(Path(folder).rglob(".*.part*")):
        process = part.name.split(".part")[0].rpartition(".")[2]
        if not process.isdecimal() or runs(int(process)):
            continue
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        else:
            part.unlink(missing_ok=True)


def runs(process: int) -> bool:
    """Return whether a process runs; a killed one that its parent has not waited for does not."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except OSError:
        return False
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    return int(lines["Tgid"]) == process and lines["State"][0] not in "ZX"


def copy_folder(source: Path | str, target: Path | str) -> None:
    """Copy all files below a folder into another, and make that if it is missing."""
    shutil.copytree(source, target_folder(target), dirs_exist_ok=True)


def write_text(path: Path | str, text: str) -> None:
    """Write ``text`` as UTF-8, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_packed(path: Path | str, text: str) -> None:
    """Write ``text`` as UTF-8, packed if the name ends in .gz, whole or not at all; equal texts give equal bytes."""
    data = text.encode()
    with replacing(path) as temporary:
        temporary.write_bytes(gzip.compress(data, mtime=0) if Path(path).suffix == ".gz" else data)


def write_json(path: Path | str, value: Any) -> None:
    """Write ``value`` as JSON with sorted keys, whole or not at all."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, allow_nan=False) + "\n")


def read_json(path: Path | str) -> Any:
    """Return the content of a JSON file; raise :class:`ContractError` when it is not JSON."""
    try:
        return json.loads(reading(path).read_text(encoding="utf-8"))
    except (RecursionError, ValueError) as error:
        raise ContractError(
            f"{path}: this is no JSON ({error}); the file was truncated or changed: make it again"
        ) from error


def sha256_of(path: Path | str) -> str:
    """Return the sha256 of a file's bytes."""
    with reading(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
