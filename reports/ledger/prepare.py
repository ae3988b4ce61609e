"""Try claims on an empty store before any job starts, to find SQL that does not fit the tables.

They are tried in a process of their own, because a function such as ``repeat`` neither stops when it is interrupted nor counts
its memory. The process says on its output which measure it tries, so that its end can be told from where it was.
"""

from __future__ import annotations

import pickle
import resource
import signal
import subprocess
import sys
from collections.abc import Collection, Mapping
from typing import Any

from reports.ledger.claim_checks import EXACT
from reports.ledger.measures import measure_of, measured_by, parameters_given, query, restrict
from reports.measure.bounds import PLANNING_SECONDS, limit_memory
from scheduler_core.common.errors import StudyError

KILLED_SECONDS = 2 * PLANNING_SECONDS
"""After this time a measure that cannot be interrupted ends with its process."""

MOST_BYTES = 4 * 10**9
"""Address space of the process that tries; a tenth is taken by its libraries."""

NOT_DONE = 2


def try_measures(studies: list[dict[str, Any]]) -> None:
    """Run every measure of the studies on the store's empty tables, in a process of its own.

    Raises
    ------
    StudyError
        For the first error; the text names the SQL file, the claim that uses it and the line, or the limit.
    """
    if not any(study["measures"] for study in studies):
        return
    told = [{key: study[key] for key in ("study", "measures", "page", "claims")} for study in studies]
    command = [sys.executable, "-c", f"import sys; sys.path = {sys.path!r}; import {__name__} as p; p.answer()"]
    ended = subprocess.run(command, input=pickle.dumps(told), capture_output=True, check=False)
    tried = ended.stdout.decode("utf-8", "backslashreplace").splitlines()
    if ended.returncode == NOT_DONE and tried:
        raise StudyError(tried[-1])
    if ended.returncode:
        why = (
            f"took more than {KILLED_SECONDS} s and was stopped"
            if ended.returncode == -signal.SIGALRM
            else f"took more than {MOST_BYTES // 10**9} GB of memory, or ended its process"
        )
        last = ended.stderr.decode("utf-8", "backslashreplace").strip().splitlines()[-1:]
        raise StudyError(": ".join([*(tried[-1:] or ["the measures"]), why, *last]))


def answer() -> None:
    """Try the studies that standard input holds, within limits; end with :data:`NOT_DONE` after a last line with the error."""
    studies = pickle.load(sys.stdin.buffer)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    try:
        try_in_turn(studies)
    except StudyError as error:
        print(" ".join(str(error).splitlines()), flush=True)
        sys.exit(NOT_DONE)


def try_in_turn(studies: list[dict[str, Any]]) -> None:
    """Run the measures one after the other; the system ends this process when one takes :data:`KILLED_SECONDS`.

    On empty tables the values of parameters change nothing, so claims whose parameters have the same types share one try.
    """
    import duckdb

    from reports.measure.store import make_tables

    tried: dict[tuple[str, str], list[str]] = {}
    with duckdb.connect(config={"threads": 1}) as connection:  # every thread reserves address space
        make_tables(connection)
        limit_memory(connection)
        restrict(connection)
        for study in studies:
            for where, entry in measured_by(study["page"], study["claims"]).items():
                measure = study["measures"][measure_of(entry)]
                place, given = f"study '{study['study']}': {where}", parameters_given(entry, measure)
                alike = measure["path"], types_of(given)
                if alike not in tried:
                    print(f"{place}: {measure['path']}", flush=True)
                    signal.alarm(KILLED_SECONDS)
                    tried[alike], _ = query(connection, place, measure, given, PLANNING_SECONDS)
                check_columns(place, measure, entry, tried[alike])


def types_of(given: object) -> str:
    """Return the types of a parameter's value: of a list those of its items, of a mapping those of its keys."""
    if isinstance(given, Mapping):
        return "{" + ", ".join(f"{key}: {types_of(value)}" for key, value in sorted(given.items())) + "}"
    if isinstance(given, list):
        return "[" + ", ".join(sorted({types_of(value) for value in given})) + "]"
    return type(given).__name__


def check_columns(where: str, measure: dict[str, str], entry: Mapping[str, Any], names: Collection[str]) -> None:
    """Check that a measure has the columns which the claim's band judges."""
    if "expect" not in entry:
        return
    ((quantifier, band),) = entry["expect"].items()
    if quantifier == "sides":
        return
    kind, edge = next(iter(band.items()))
    if (kind in EXACT) == ("unit" in names):
        wanted = "exact values (label, value)" if kind in EXACT else "a value per unit (label, unit, value)"
        raise StudyError(f"{where}: {measure['path']}: '{kind}' judges {wanted}; found {', '.join(names)}")
    if edge == "each" and "printed" not in names:
        raise StudyError(
            f"{where}: {measure['path']}: '{kind}: each' needs the column printed; found {', '.join(names)}"
        )
