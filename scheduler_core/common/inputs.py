"""Read what people give: regular files of a bounded size, packed or plain.

Every reader of a whole file uses this module, so that neither a device nor a packed file of zeros fills the memory.
"""

import gzip
import io
import os
import zlib
from pathlib import Path

from scheduler_core.common.errors import InputError
from scheduler_core.common.files import reading

OPTION = "SLOTWISE_LARGEST_MB"
"""The environment variable that raises the limit: megabytes of a file once unpacked."""

LARGEST_MB = 2048
"""The limit without the variable; the largest log of the archive has a tenth of it."""

STUDY_BYTES = 16_000_000
"""The most bytes of a file of a study: YAML or SQL."""

DAMAGED = (EOFError, OSError, zlib.error)
"""Errors of a gzip stream that is damaged or cut."""


def largest() -> int:
    """Return the most bytes that a file may have once unpacked; raise :class:`InputError` for an odd value of :data:`OPTION`."""
    written = os.environ.get(OPTION, str(LARGEST_MB))
    if not (written.isascii() and written.isdecimal() and 0 < len(written) < 8 and int(written) > 0):
        raise InputError(f"{OPTION}: expected a whole number of megabytes; found {written!r}")
    return int(written) * 1_000_000


def read_bytes(path: Path | str) -> bytes:
    """Return the bytes of a regular file, at most :func:`largest` of them; raise :class:`InputError` for any other."""
    most = largest()
    with reading(path).open("rb") as file:
        return bounded(path, file.read(most + 1), most)


def unpacked(path: Path | str, packed: bytes) -> bytes:
    """Return the text of a gzip stream, at most :func:`largest` bytes; raise one of :data:`DAMAGED` if it is damaged."""
    most = largest()
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
        return bounded(path, stream.read(most + 1), most)


def bounded(path: Path | str, data: bytes, most: int) -> bytes:
    """Return ``data``; raise :class:`InputError` if it is longer than ``most`` bytes."""
    if len(data) > most:
        raise InputError(
            f"{path}: more than {most // 1_000_000:,} MB once unpacked, the largest file that is read; if it should be, set "
            f"{OPTION} to more megabytes"
        )
    return data


def read_study_text(path: Path | str) -> str:
    """Return a file of a study as text; raise :class:`InputError` if it is not UTF-8, or has over :data:`STUDY_BYTES`."""
    try:
        with reading(path).open("rb") as file:
            data = file.read(STUDY_BYTES + 1)
        text = data.decode("utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected text in UTF-8, found other bytes at position {error.start}") from error
    if len(data) > STUDY_BYTES:
        raise InputError(f"{path}: more than {STUDY_BYTES // 1_000_000} MB, the most for a file of a study; divide it")
    return text
