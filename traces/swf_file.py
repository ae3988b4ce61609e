"""Reading a log's text from a file, plain or gzip by its content; every failure becomes a message."""

import hashlib
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scheduler_core.common import inputs
from scheduler_core.common.errors import LogError

GZIP = b"\x1f\x8b"

OTHER_FORMATS: dict[bytes, str] = {
    b"BZh": "a bzip2 file; unpack it first (bunzip2)",
    b"\xfd7zXZ\x00": "an xz file; unpack it first (unxz)",
    b"\x28\xb5\x2f\xfd": "a Zstandard file; unpack it first (unzstd)",
    b"PK\x03\x04": "a zip archive or a workbook; unpack it first (unzip), or save the sheet as CSV",
    b"PAR1": "a parquet file, not a log; read it as a workload",
    b"\xff\xfe": "UTF-16 text; save it as plain text (ASCII or UTF-8)",
    b"\xfe\xff": "UTF-16 text; save it as plain text (ASCII or UTF-8)",
}
"""First bytes of files that users mistake for logs."""

UTF8_MARK = b"\xef\xbb\xbf"

EXPECTED = "expected a job log in the Standard Workload Format: 18 numbers per line, comments begin with ';'"


def log_name(file: str) -> str:
    """Return the name of a log: that of its file, without what says how it is written and packed."""
    return file.removesuffix(".gz").removesuffix(".swf")


@dataclass(frozen=True)
class LogText:
    """The text of a log and its path."""

    path: Path
    data: bytes

    @cached_property
    def sha256(self) -> str:
        """Digest of the unpacked text."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def binary(self) -> str:
        """Where a binary file has its first zero byte, in words; empty for a text."""
        if b"\0" not in self.data:
            return ""
        line = self.data.count(b"\n", 0, self.data.index(b"\0")) + 1
        return f"{self.path}, line {line}: this is a binary file (it has zero bytes)"

    def check(self, expected: str | None) -> None:
        """Raise :class:`LogError` unless the text has the digest ``expected``; None accepts any."""
        if expected is not None and self.sha256 != expected.lower():
            raise LogError(
                f"{self.path}: this is not the text expected: its sha256 is {self.sha256}, expected {expected}. "
                "The file was edited, cut or is another version of the log; get the version the catalogue names, "
                "or give this one another name"
            )


def read_text(path: Path | str, expected: str = EXPECTED) -> LogText:
    """Return the text of a log, unpacked; ``expected`` ends the messages.

    Raise :class:`LogError` when the file is missing, a folder, unreadable, empty, a broken gzip file or plainly not a log.
    """
    path = Path(path)
    packed = read_bytes(path, expected)
    data = unpack(path, packed) if packed.startswith(GZIP) else packed
    if not data:
        raise LogError(f"{path}: the file is empty; {expected}")
    for magic, words in OTHER_FORMATS.items():
        if data.startswith(magic):
            raise LogError(f"{path}, line 1: this is {words}; {expected}")
    return LogText(path, data)


def decode(raw: bytes) -> str:
    """Return bytes as text: UTF-8 if it is valid, else Latin-1, which accepts every byte."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def read_bytes(path: Path, expected: str = EXPECTED) -> bytes:
    """Return the bytes of a file; raise :class:`LogError` when the system refuses."""
    try:
        return inputs.read_bytes(path)
    except FileNotFoundError as error:
        or_fetch = ", or fetch the log by its catalogue name" if expected == EXPECTED else ""
        raise LogError(f"{path}: there is no such file; check the path{or_fetch}") from error
    except IsADirectoryError as error:
        raise LogError(f"{path}: this is a folder; give the path of one log in it") from error
    except (OSError, ValueError) as error:
        raise LogError(f"{path}: the file cannot be read ({error}); {expected}") from error


def unpack(path: Path, packed: bytes) -> bytes:
    """Return unpacked gzip; raise :class:`LogError` with the length of the good text when the stream is damaged."""
    try:
        return inputs.unpacked(path, packed)
    except inputs.DAMAGED as error:
        lines, good = count_what_can_be(packed)
        raise LogError(
            f"{path}, line {lines + 1}: the gzip stream is damaged or ends too early ({error}), "
            f"after {good} bytes of text; get the file again"
        ) from error


def count_what_can_be(packed: bytes) -> tuple[int, int]:
    """Return the lines and bytes of text before the damage of a gzip stream."""
    stream, lines, good = zlib.decompressobj(wbits=31), 0, 0
    try:
        for begin in range(0, len(packed), 4096):
            text = stream.decompress(packed[begin : begin + 4096])
            lines, good = lines + text.count(10), good + len(text)
    except zlib.error:
        pass  # what was counted is everything before the damage
    return lines, good
