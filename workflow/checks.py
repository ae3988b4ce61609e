"""Places in files that people write, and the errors that name them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.declarations.written import parse

Value = TypeVar("Value")

IDENTIFIER = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
"""Ids become file names: small letters and digits, with single - or _ between them."""


@dataclass(frozen=True)
class Place:
    """A dotted key of a file; the whole file without a key."""

    path: Path | str
    key: str = ""

    def __truediv__(self, part: object) -> Place:
        """Return the place of a key within this one."""
        return Place(self.path, f"{self.key}.{part}" if self.key else str(part))

    def wrong(self, message: object) -> StudyError:
        """Return the error for this place."""
        return StudyError(f"{self.path}: {self.key}: {message}" if self.key else f"{self.path}: {message}")

    def read(self, kind: type[Value] | TypeAdapter[Value], value: Any) -> Value:
        """Return the typed value of what is at this place."""
        return parse(kind, value, str(self.path), self.key)

    def check_known(self, name: Any, known: Collection[str], what: str) -> None:
        """Raise :class:`StudyError` when a name is unknown; ``what`` is its kind, such as ``policy``."""
        if name not in known:
            hint = nearest(str(name), known) if known else f"the study has no {what}s"
            raise self.wrong(f"there is no {what} '{name}' in this study; {hint}")


def read_identifier(name: Any) -> str:
    """Return an id; raise :class:`StudyError` when it cannot be one."""
    if not isinstance(name, str) or not IDENTIFIER.fullmatch(name):
        raise StudyError(f"an id has small letters and digits, with single - or _ between; found {name!r}")
    return name
