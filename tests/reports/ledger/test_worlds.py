"""Every claim of every study: reproduced in a small world where its sentence is true, not reproduced where it is false."""

from types import ModuleType

import pytest

from reports.figures.study import module_of
from reports.ledger.claims import Bench
from reports.ledger.measures import measure_of, measured_by
from reports.measure.catalogue import METRICS
from reports.measure.verdict_words import NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from scheduler_core.checker.check import rules_of
from scheduler_core.declarations.families import families
from tests.paths import STUDIES
from tests.profiles import one_of_each
from tests.reports.ledger.wiring import MADE, order_of, scenes_of, two_sided
from tests.reports.ledger.world import described
from workflow.studies import SCALES, read_study, read_written

FILES = {path.parent.name: path for path in sorted(STUDIES.glob("*/study.yaml"))}
DESCRIBED = {name: described(read_study(path)) for name, path in FILES.items()}
CLAIMS = {(study, claim["id"]): claim for study, entry in DESCRIBED.items() for claim in entry["claims"]}


def query_of(key: tuple[str, str]) -> tuple[object, ...]:
    """Return what a claim's rows are computed by: its measure, and those of its parameters that choose a part of the query."""
    (study, claim), entry = key, CLAIMS[key]
    name, given = measure_of(entry), {**(entry.get("with") or {}), **entry}
    sql = DESCRIBED[study]["measures"][name]["sql"] if name else claim
    return sql, *(given.get(word) for word in ("change", "per", "mean_over")), bool(given.get("pooled"))


QUERIES = one_of_each(CLAIMS, query_of)
"""The claims, one of each query for every day."""

ARITHMETIC = {"s2-sizes-of-trees"}
"""Claims that are worked out and need no run."""


def worlds_of(study):
    """Return the module of a study's worlds; an empty one if it has none."""
    folder = STUDIES / study
    return module_of(folder, "worlds") if (folder / "worlds.py").is_file() else ModuleType("worlds")


@pytest.mark.parametrize("study", FILES)
def test_every_claim_has_its_worlds_or_its_order_and_no_other_has(study):
    worlds, own = worlds_of(study), {claim: entry for (other, claim), entry in CLAIMS.items() if other == study}
    listed = {*getattr(worlds, "WORLDS", {}), *getattr(worlds, "LOWER", {})}
    made = {claim for claim, entry in own.items() if measure_of(entry) in MADE | getattr(worlds, "MADE", {})}
    assert listed <= own.keys() <= listed | made
    assert not made & set(getattr(worlds, "LOWER", {}))


def test_values_have_the_sign_of_their_claim():
    """Rows of a claim that something is worse would say "% less: −151": such a claim counts "% more", above 0."""
    turned = [
        key
        for key, entry in CLAIMS.items()
        if not entry.get("measure")
        and "% less" in entry.get("change", "")
        and entry["expect"] in ({"all": {"below": 0}}, {"any": {"below": 0}})
    ]
    assert turned == []


@pytest.mark.parametrize(("study", "claim"), CLAIMS)
def test_a_claim_is_reproduced_where_it_is_true_and_not_where_it_is_false(stage, study, claim):
    entry, described = CLAIMS[study, claim], DESCRIBED[study]
    told = f"claim '{claim}', LOWER: {order_of(claim, worlds_of(study)) or 'none, its worlds are written out'}"
    try:
        true, *false = scenes_of(described, entry, worlds_of(study))
    except (AssertionError, StopIteration, KeyError, ValueError) as error:
        raise AssertionError(f"{told}: no world can be made of it: {error or type(error).__name__}") from error
    verdict = stage.judge(described, claim, true)
    assert verdict.verdict == REPRODUCED, f"{told}: {verdict.verdict} in the world that makes it true: {verdict.rows}"
    found = [stage.judge(described, claim, scene) for scene in false]
    refuted = [verdict.verdict == NOT_REPRODUCED for verdict in found]
    assert all(refuted) if two_sided(entry) else refuted[0], (
        f"{told}: not refuted in a world that makes it false: {found}"
    )


def test_a_claim_without_a_world_says_what_is_missing():
    study, claim = next((study, claim) for study, claim in CLAIMS if claim in getattr(worlds_of(study), "LOWER", {}))
    words = f"studies/{study}/worlds.py has no world for claim '{claim}': say in LOWER which has the lower value"
    with pytest.raises(AssertionError, match=words):
        scenes_of(DESCRIBED[study], CLAIMS[study, claim], ModuleType("worlds"))


@pytest.mark.parametrize(("study", "claim"), QUERIES)
def test_where_nothing_was_run_nothing_is_testable(stage, study, claim):
    verdict = stage.judge(DESCRIBED[study], claim, lambda world: None).verdict
    assert verdict == NOT_TESTABLE or claim in ARITHMETIC


@pytest.mark.parametrize(("study", "claim"), QUERIES)
def test_no_verdict_rests_on_a_workload_without_jobs(stage, study, claim):
    """Hide the workloads of a true world one after the other: no row turns up, no count becomes zero, the last leaves nothing."""
    described = DESCRIBED[study]
    true, *_ = scenes_of(described, CLAIMS[study, claim], worlds_of(study))
    with stage.empty(described) as world:
        true(world)
        bench = Bench(world.connection, described)
        tables = {name: columns for name, columns in stage.tables.items() if name in world.filled}
        first = before = rows_with_values(bench, CLAIMS[study, claim])
        for workload in workloads_of(world.connection):
            hide(world.connection, tables, workload)
            after = rows_with_values(bench, CLAIMS[study, claim])
            assert after.keys() <= before.keys()
            assert "against" in CLAIMS[study, claim] or all(after[label] or not before[label] for label in after)
            before = after
        assert before in ({}, first), "only what is worked out from printed numbers stays"


def rows_with_values(bench, claim):
    """Return the values of a claim's rows that have one, by label."""
    rows = bench.rows("a claim", claim)
    return {row.label: row.value for row in rows if row.value is not None}


def workloads_of(connection):
    """Return the workloads of a world."""
    return [name for (name,) in connection.execute("SELECT workload FROM workloads ORDER BY ALL").fetchall()]


def hide(connection, tables, workload):
    """Take a workload out of the tables that have rows, as a reading hides it when it has no jobs."""
    for table, columns in tables.items():
        named = [f"{column} = $1" for column in ("workload", "versus_workload") if column in columns]
        if named:
            connection.execute(f"DELETE FROM {table} WHERE {' OR '.join(named)}", [workload])


def names_of(entry):
    """Return the policies, workloads and metrics that an entry compares."""
    given = entry.get("with") or {}
    listed = {"policies": [*(entry.get("against") or []), *given.get("than", []), *given.get("policies", [])]}
    listed |= {key: given.get(key, []) for key in ("workloads", "metrics", "rules")}
    return {
        key: [name for one in names for name in ([one] if isinstance(one, str) else one)]
        for key, names in listed.items()
        if isinstance(names, list)
    }


@pytest.mark.parametrize("study", FILES)
def test_what_claims_compare_is_run_and_measured(study):
    written = read_written(FILES[study])
    every = [described(written.at(scale)) for scale in SCALES]
    known = {key: {name for own in every for name in own[key]} for key in ("policies", "workloads")}
    known["metrics"] = {*METRICS, *(row[4] for own in every for row in own["printed_values"])}
    known["rules"] = {rule for family in families().values() for rule in rules_of(family).RULES}
    for where, entry in measured_by(every[0]["page"], every[0]["claims"]).items():
        for key, names in names_of(entry).items():
            assert set(names) <= known[key], (where, key, set(names) - known[key])
