"""Small checks of what people write, each with an error that names the file and the dotted key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from scheduler_core.common.errors import StudyError, nearest

IDENTIFIER = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*\Z")
"""Ids become file names: small letters and digits, with single - or _ between them."""


def wrong(path: object, key: str, message: object) -> StudyError:
    """Make the error for the dotted ``key`` of the file ``path``."""
    return StudyError(f"{path}: {key}: {message}" if key else f"{path}: {message}")


def expect(path: object, key: str, value: Any, kind: type, words: str) -> None:
    """Raise :class:`StudyError` when ``value`` is not a ``kind``, which a person calls ``words``."""
    if type(value) is not kind:
        raise wrong(path, key, f"expected {words}; found {value!r}")


def mapping_at(path: object, key: str, value: Any) -> dict[Any, Any]:
    """Return ``value`` when it is a mapping, else raise :class:`StudyError`."""
    if not isinstance(value, dict):
        raise wrong(path, key, f"expected a mapping of keys to values; found {value!r}")
    return value


def check_keys(path: object, key: str, entry: dict[Any, Any], known: Iterable[str]) -> None:
    """Raise :class:`StudyError` for the first key of ``entry`` that is not ``known``."""
    allowed = list(known)
    for name in entry:
        if name not in allowed:
            where = f"{key}.{name}" if key else str(name)
            raise wrong(path, where, f"there is no such key; {nearest(str(name), allowed)}")


def check_identifier(path: object, key: str, name: Any) -> None:
    """Raise :class:`StudyError` when ``name`` cannot be an id."""
    if not isinstance(name, str) or not IDENTIFIER.match(name):
        raise wrong(path, key, f"an id has small letters and digits, with single - or _ between; found {name!r}")
