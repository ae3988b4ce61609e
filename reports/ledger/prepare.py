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
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reports.ledger.claim_checks import EXACT
from reports.ledger.measures import measure_of, measured_by, parameters_given, query, restrict
from reports.measure.bounds import PLANNING_SECONDS, limit_memory
from scheduler_core.common.errors import StudyError

if TYPE_CHECKING:
    import duckdb

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
    """Run the measures one after the other; the system ends this process when one takes :data:`KILLED_SECONDS`."""
    import duckdb

    from reports.measure.store import make_tables

    with duckdb.connect(config={"threads": 1}) as connection:  # every thread reserves address space
        make_tables(connection)
        limit_memory(connection)
        restrict(connection)
        for study in studies:
            for where, entry in measured_by(study["page"], study["claims"]).items():
                measure = study["measures"][measure_of(entry)]
                place = f"study '{study['study']}': {where}"
                print(f"{place}: {measure['path']}", flush=True)
                signal.alarm(KILLED_SECONDS)
                try_measure(connection, place, measure, entry)


def try_measure(
    connection: duckdb.DuckDBPyConnection, where: str, measure: dict[str, str], entry: Mapping[str, Any]
) -> None:
    """Run a measure on empty tables, and check that it has the columns which the claim's band judges."""
    names, _ = query(connection, where, measure, parameters_given(entry, measure), PLANNING_SECONDS)
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
