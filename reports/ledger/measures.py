"""Measures: queries in their own files, which claims name. They run read-only, and each is a single SELECT.

A measure is ``measures/<name>.sql`` in the folder of its study, or ``reports/ledger/sql/<name>.sql`` for all studies. Its head
is a comment with what it measures, its parameters and its unit. Parameters are DuckDB's named ones (``$metric``; for a list,
``scope IN (SELECT unnest($scopes))``); claims give them under ``with``. Its columns are one of :data:`FORMS`; measures with
units may add any of :data:`PRINTED`.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.ledger.claim_checks import CHANGES, Expect
from reports.ledger.rows import Row
from reports.measure.bounds import SECONDS, first_rows, in_time
from reports.measure.queries import pairs
from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.common.inputs import read_study_text
from scheduler_core.declarations.written import parse

if TYPE_CHECKING:
    import duckdb

FORMS = (("label", "value"), ("label", "unit", "value"), ("label", "unit", "value", "versus"))
"""Columns of a measure: exact values; a value per independent unit; two values per unit, whose means have a ratio."""

DIGITS = 12
"""Significant digits of what a measure returns. The last digits of a sum of floats depend on its order, which DuckDB's threads
leave to chance."""

PRINTED = ("printed", "digits", "draws")
"""Further columns a measure may have: the source's number, its decimals, and how many draws it averages."""

SHARED = Path(__file__).parent / "sql"
"""The measures that all studies share."""

NO_CODE = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/", re.DOTALL)
"""Texts, quoted names and comments of a query."""
PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")
HEAD = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*", re.DOTALL)
LINE = re.compile(r"^LINE (\d+):", re.MULTILINE)

Measures = dict[str, dict[str, str]]
"""The measures of a study by name: ``path`` and ``sql``."""

LEFT_OUT = {"scopes": ["all"], "per": "run", "pooled": "", "mean_over": "", "divisor": 1, "change": "ratio"}
"""Parameters that a claim may leave out, with their defaults."""

PAIRED = ("against", "than", "workloads", "metrics", "scopes")
"""Parameters of comparisons: lists of pairs [A, B]; a single name stands for the same policy twice."""


def measure_of(entry: Mapping[str, Any]) -> str | None:
    """Return the measure an entry names, or the shared one of its ``change``; None if it measures nothing."""
    if "measure" not in entry and "against" in entry:
        return CHANGES[entry.get("change", LEFT_OUT["change"])]
    return entry.get("measure")


def parameters_given(entry: Mapping[str, Any], measure: Mapping[str, str]) -> dict[str, Any]:
    """Return all parameters of a measure: those of ``with``, ``against`` and ``change``, and the defaults."""
    given = {**(entry.get("with") or {}), **{key: entry[key] for key in ("against", "change") if key in entry}}
    usual = LEFT_OUT | ({"than": given["against"]} if "against" in given else {})
    wanted = parameters_of(measure["sql"])
    given = {name: value for name, value in usual.items() if name in wanted} | given
    if "against" not in given:
        return given
    return {name: pairs(value) if name in PAIRED else value for name, value in given.items()}


def measured_by(study: Mapping[str, Any], claims: list[dict[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return what a study measures, by place: claims and their sensitivities, sentences of its answer, numbers, hero."""
    found: dict[str, Mapping[str, Any]] = {}
    for claim in claims:
        found[f"claim '{claim['id']}'"] = claim
        found[f"claim '{claim['id']}': sensitivity"] = claim.get("sensitivity") or {}
    said = {f"answer.{place}": entry for place, entry in enumerate(study.get("answer") or [])}
    for where, entry in (said | {"hero": study.get("hero") or {}}).items():
        found[where] = entry
        if "expect" in entry:
            parse(Expect, entry["expect"], where, "expect")
    found |= {f"numbers.{place}": entry for place, entry in enumerate(study.get("numbers") or [])}
    return {where: entry for where, entry in found.items() if measure_of(entry)}


def read_measures(study_file: Path, measured: Mapping[str, Mapping[str, Any]]) -> Measures:
    """Return the measures a study names, with their parameters checked.

    Raises
    ------
    StudyError
        When a file is missing, does not begin with a comment, or has other parameters.
    """
    found: Measures = {}
    for where, entry in measured.items():
        name = str(measure_of(entry))
        if name not in found:
            found[name] = read_measure(where, name, study_file.parent / "measures", SHARED)
        check_parameters(where, found[name], parameters_given(entry, found[name]))
    return found


def read_measure(where: str, name: str, own: Path, shared: Path) -> dict[str, str]:
    """Return one measure, from the folder of the study or from the shared one."""
    path = next((path for folder in (own, shared) if (path := folder / f"{name}.sql").is_file()), None)
    if path is None:
        known = sorted({file.stem for folder in (own, shared) for file in folder.glob("*.sql")})
        hint = nearest(name, known) if known else "neither folder holds one"
        raise StudyError(f"{where}: there is no measure '{name}' in {own} or {shared}; {hint}")
    sql = read_study_text(path)
    if not sql.lstrip().startswith("--"):
        raise StudyError(f"{path}: line 1: a measure begins with a comment: what it measures, its parameters, its unit")
    return {"path": str(path), "sql": sql}


def parameters_of(sql: str) -> set[str]:
    """Return the names of the parameters of a query."""
    return set(PARAMETER.findall(NO_CODE.sub(" ", sql)))


def check_parameters(where: str, measure: Mapping[str, str], given: Mapping[str, Any]) -> None:
    """Check that a claim gives a measure all its parameters and no others."""
    wanted = parameters_of(measure["sql"])
    for name in given:
        if name not in wanted:
            hint = nearest(name, wanted) if wanted else "it has none"
            raise StudyError(f"{where}: with: {measure['path']} has no parameter '{name}'; {hint}")
    for name in sorted(wanted - set(given)):
        raise StudyError(f"{where}: with: the parameter '{name}' of {measure['path']} is missing")


def restrict(connection: duckdb.DuckDBPyConnection) -> None:
    """Restrict a connection to the store from now on: no files, no network, no extensions, no Python variables."""
    connection.execute("SET enable_external_access = false")
    connection.execute("SET python_enable_replacements = false")


def run(
    connection: duckdb.DuckDBPyConnection, where: str, measure: Mapping[str, str], given: Mapping[str, Any]
) -> list[Row]:
    """Return the rows of a measure: one per label, sorted by label unless the query orders them.

    Raises
    ------
    StudyError
        When the SQL is not a single SELECT, fails, or returns other columns than a measure has.
    """
    names, found = query(connection, where, measure, given)
    try:
        return gather(names, found, orders_its_rows(measure["sql"]))
    except (TypeError, ValueError) as error:
        raise StudyError(
            f"{where}: {measure['path']}: value, versus and {', '.join(PRINTED)} must be numbers or NULL; {error}"
        ) from error


def query(
    connection: duckdb.DuckDBPyConnection,
    where: str,
    measure: Mapping[str, str],
    given: Mapping[str, Any],
    seconds: float = SECONDS,
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Run the SQL of a measure within ``seconds``, if it is a single SELECT; return its columns and rows."""
    import duckdb

    path, sql = measure["path"], measure["sql"]
    head = HEAD.match(sql)
    lines = sql[: head.end()].count("\n") if head else 0  # DuckDB miscounts lines after a comment
    try:
        statements = duckdb.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            kinds = ", ".join(statement.type.name for statement in statements) or "nothing"
            raise StudyError(f"{where}: {path}: a measure is a single SELECT; found {kinds}")
        with in_time(connection, f"{where}: {path}", seconds):
            names, found = first_rows(connection, sql[head.end() :] if head else sql, given, f"{where}: {path}")
    except duckdb.Error as error:
        raise StudyError(f"{where}: {path}: {located(error, lines)}") from error
    check_columns(f"{where}: {path}", names)
    return names, found


def located(error: Exception, before: int) -> str:
    """Return DuckDB's error text, starting with the line if it names one; ``before``: lines that DuckDB did not see."""
    place = LINE.search(str(error))
    if place is None:
        return " ".join(str(error).split())
    text = " ".join(str(error)[: place.start()].split())
    return f"line {before + int(place.group(1))}: {text}"


def check_columns(where: str, names: list[str]) -> None:
    """Check the columns of a measure."""
    needed = tuple(name for name in names if name not in PRINTED)
    if needed not in FORMS or len(set(names)) != len(names):
        forms = "; or ".join(", ".join(form) for form in FORMS)
        raise StudyError(
            f"{where}: expected the columns {forms}; and any of {', '.join(PRINTED)}; found {', '.join(names) or 'none'}"
        )


def gather(names: list[str], found: list[tuple[Any, ...]], ordered: bool) -> list[Row]:
    """Return one row per label, with its units in their order."""
    labels: dict[str, list[dict[str, Any]]] = {}
    for record in found:
        row = dict(zip(names, record, strict=True))
        labels.setdefault(str(row["label"]), []).append(row)
    rows = []
    for label in labels if ordered else sorted(labels):
        own = labels[label]
        if "unit" in names:
            own = sorted(own, key=lambda row: str(row["unit"]))
        elif len(own) > 1:
            raise ValueError(f"label '{label}' has {len(own)} exact values; give each a label of its own")
        first = own[0]
        digits, draws = number(first.get("digits")), number(first.get("draws"))
        rows.append(
            Row(
                label=label,
                values=tuple(number(row["value"]) for row in own),
                versus=tuple(number(row["versus"]) for row in own) if "versus" in names else None,
                exact="unit" not in names,
                printed=number(first.get("printed")),
                digits=None if digits is None else int(digits),
                draws=None if draws is None else int(draws),
            )
        )
    return rows


def number(value: Any) -> float | None:
    """Return a database value as a number of :data:`DIGITS` digits; None if it is null or not finite."""
    if isinstance(value, str | bool):
        raise ValueError(f"found {value!r}")
    if isinstance(value, Decimal | int):
        return float(value)
    return None if value is None or not abs(float(value)) < float("inf") else float(f"{value:.{DIGITS}g}")


@functools.cache
def orders_its_rows(sql: str) -> bool:
    """Return whether a query orders its own rows, by its syntax tree; an ``ORDER BY`` of a window or a subquery does not."""
    import duckdb

    (tree,) = duckdb.cursor().execute("SELECT json_serialize_sql($1)", [sql]).fetchone() or ("",)
    modifiers = json.loads(tree)["statements"][0]["node"]["modifiers"]
    return any(modifier["type"] == "ORDER_MODIFIER" for modifier in modifiers)
