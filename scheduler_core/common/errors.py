"""Errors for people: each says where, what was found, what was expected and what to do."""

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import UnionType


class SlotwiseError(Exception):
    """Base of every error a user of slotwise can cause and mend; its text needs no traceback.

    The text says which file, and which line or key, what was found there, what was expected, and what to do. Subclasses in
    :mod:`scheduler_core.common.errors` tell studies, logs, policies and schedules apart.
    """


class ContractError(SlotwiseError):
    """A table breaks its contract: a missing column, a wrong type, a broken invariant."""


class MissingTableError(ContractError):
    """A workload lacks companion tables that a policy needs; ``missing`` has their names."""

    def __init__(self, text: str, missing: Iterable[str]) -> None:
        super().__init__(text)
        self.missing = tuple(missing)


class ParameterError(SlotwiseError):
    """A policy, model or study was given a parameter it does not have, or a value outside its range."""


class PolicyError(SlotwiseError):
    """A policy of the user's own failed, or chose what cannot be done; the text names the policy, the call and the time."""


class LogError(SlotwiseError):
    """A job log cannot be read: missing, truncated, binary, not a job log at all."""


class InputError(SlotwiseError):
    """A file cannot be read: a device, a pipe, too large, not text."""


class OutputError(SlotwiseError):
    """A result cannot be written to its path: a folder, a device, or a file that the command reads."""


class StudyError(SlotwiseError):
    """A study file or the configuration is wrong; the text names the file and the key."""


class IllegalScheduleError(SlotwiseError):
    """A schedule breaks a rule of the machine or of the workload."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of an error message: the known name closest to ``name``, or all known names if none is close."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f"did you mean '{close[0]}'?" if close else "known: " + ", ".join(names)


def require(given: object, kind: type | UnionType, expected: str) -> None:
    """Raise :class:`ContractError` unless ``given`` is of a kind; ``expected`` says what it should be, and how to get it."""
    if not isinstance(given, kind):
        raise ContractError(f"expected {expected}; found {found_words(given)}")


def found_words(given: object) -> str:
    """Return an argument in a few words: a number or short text as it is written, anything else by its type."""
    short = given is None or isinstance(given, (str, int, float))
    return repr(given) if short and len(repr(given)) < 60 else f"an object of type {type(given).__name__}"


@contextmanager
def naming_key(name: str) -> Iterator[None]:
    """Turn an error of the block into one that names the key of a definition, or the option of the command line."""
    try:
        yield
    except SlotwiseError as error:
        raise StudyError(f"{name}: {error}") from error
