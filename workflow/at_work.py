"""One run at a time works in a folder of results: the second is told who is at work, and the first goes on.

The system releases the lock when its process ends, however it ends, so that a killed run leaves nothing to unlock.
"""

import fcntl
import json
import os
import socket
from datetime import UTC, datetime
from pathlib import Path

from scheduler_core.common.errors import OutputError
from scheduler_core.common.files import opened_to_lock

NAME = ".at-work.json"

HELD: dict[Path, int] = {}
"""File descriptors of the locks of this process; closing one would release it."""


def hold(folder: Path | str) -> None:
    """Lock a folder of results until this process ends, unless the process that started this one holds it.

    Raise :class:`OutputError` when another run is at work there; the text says which, since when, and what to do.
    """
    path = Path(folder).resolve() / NAME
    if path in HELD:
        return
    descriptor = opened_to_lock(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        written = os.pread(descriptor, 10_000, 0)
        os.close(descriptor)
        if holder(written).get("pid") == os.getppid() and holder(written).get("host") == socket.gethostname():
            return
        raise OutputError(f"{folder}: {words(holder(written))}") from None
    mine = {"host": socket.gethostname(), "pid": os.getpid(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(mine).encode(), 0)
    HELD[path] = descriptor


def holder(written: bytes) -> dict[str, object]:
    """Return what the holder of a lock wrote: host, pid and since; empty if it has not yet written."""
    try:
        found = json.loads(written)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def words(found: dict[str, object]) -> str:
    """Return who is at work, and what to do."""
    who = "process {pid} on {host}, since {since}".format_map(found) if found.keys() >= {"pid", "host", "since"} else ""
    return (
        f"another run is at work in this folder{f' ({who})' if who else ''}, and goes on. Wait until it ends, stop it, or "
        "work in another folder"
    )
