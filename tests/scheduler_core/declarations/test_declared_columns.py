"""What a family does not declare of the workload decides nothing under any of its policies."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import polars as pl
import pytest

from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import DECIDING_COLUMNS, WORKLOAD_COLUMNS, WORKLOAD_OPTIONAL, Cluster, Machine, Workload
from scheduler_core.contracts.companions import COMPANIONS
from scheduler_core.declarations.families import SITE_TABLES, Family, families, family
from scheduler_core.declarations.policy import family_of, get_policy, policy_names
from scheduler_core.runs.simulation import simulate
from scheduler_core.stepping.engine_shell import Shell
from tests.paths import PROJECT

PROCESSORS, JOBS, APPLICATIONS, TASKS = 8, 40, 3, 10
S = 1_000_000


def draw_column(name: str, sizes: list[int], seed: str, clusters: int = 1) -> pl.Series:
    """Draw a deciding column for jobs of some sizes, of which the first are tasks, on a machine of so many clusters."""
    chance = random.Random(f"{name} {seed}")
    if name == "home":
        homes = [None if k < TASKS else chance.randrange(clusters) for k in range(len(sizes))]
        return pl.Series(name, homes, dtype=WORKLOAD_OPTIONAL[name])
    draw = {
        "class": lambda _: chance.choice(("short", "medium", "long")),
        "flexibility": lambda _: chance.choice(("rigid", "moldable", "malleable")),
        "size_min": lambda size: chance.randint(1, size),
        "size_max": lambda size: chance.randint(size, PROCESSORS),
        "memory_kb": lambda _: chance.randint(1, 60),
        "credit_us": lambda _: chance.choice((0, 60 * S, 6000 * S)),
    }[name]
    return pl.Series(name, [draw(size) for size in sizes], dtype=WORKLOAD_OPTIONAL[name])


def draw_behaviour(chance: random.Random, job: int) -> tuple[object, ...]:
    """Draw a row of `behaviour`."""
    cpu, network = chance.choice((0.25, 0.5)), chance.choice((0.125, 0.25))
    fractions = (cpu, network, 1 - cpu - network, 0.0, 0.0, 0.0)
    kind = chance.choice(("cpu", "network", "disk"))
    return (job, kind, *fractions, chance.random(), chance.random(), chance.randrange(APPLICATIONS))


def draw_application(chance: random.Random, job: int) -> tuple[object, ...]:
    """Draw a row of `applications`; bursts are long, so that there are few of them."""
    word = chance.choice(("compute", "io"))
    return (job, word, job, *((10 * S, 10 * S) if word == "io" else (0, 0)), "exponential", 0.0, 0)


def draw_companion(name: str, seed: str) -> pl.DataFrame:
    """Draw a companion table: a row per job, per request, or per workflow of one task."""
    chance = random.Random(f"{name} {seed}")
    rows = {
        "tasks": lambda k: (k, k if seed == "first" else 2 * k, 1),
        "run_times": lambda k: (k, 0, chance.randint(1, 9) * S),
        "requests": lambda k: (k, k * S, k * S + chance.randint(0, 9), 90 * k * S + 9 * S, chance.randint(1, 8) * S, 2),
        "applications": lambda k: draw_application(chance, k),
        "behaviour": lambda k: draw_behaviour(chance, k),
        "slowdowns": lambda k: ((k - 1) // APPLICATIONS, (k - 1) % APPLICATIONS, chance.choice((0.9, 1.2, 1.7))),
        "shares": lambda k: (
            k,
            chance.choice(("long", "short")),
            0.2,
            chance.choice((0.3, 0.4)),
            "local",
            "nothing",
            40 * k * S,
        ),
    }
    count = {"slowdowns": APPLICATIONS**2, "tasks": TASKS}.get(name, JOBS)
    made = [rows[name](k) for k in range(1, count + 1)] if name in rows else []
    return pl.DataFrame(made, schema=dict(COMPANIONS[name].columns), orient="row")


@pytest.fixture(scope="module")
def whole() -> Workload:
    """Jobs that contend, with every column and every table a schedule could depend on."""
    chance = random.Random("jobs")
    rows = []
    for k in range(1, JOBS + 1):
        run_s = chance.choice((20, 300, 6000))
        rows.append((k, 40 * k * S, run_s * S, chance.randint(run_s, 2 * run_s) * S, chance.randint(1, PROCESSORS)))
    jobs = pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row")
    sizes = jobs["size"].to_list()
    jobs = jobs.with_columns(draw_column(name, sizes, "first") for name in DECIDING_COLUMNS)
    # Rules for users need them.
    jobs = jobs.with_columns(user=(pl.col("job") % 3).cast(pl.Int32))
    companions = {name: draw_companion(name, "first") for name in COMPANIONS if name not in SITE_TABLES}
    return Workload(jobs, Machine(PROCESSORS, memory_kb=100), companions=companions)


def variants(whole: Workload, declared: Family) -> dict[str, Workload]:
    """Return the workload without what the family does not declare, and with other values of it: columns and tables alike."""
    columns = [name for name in DECIDING_COLUMNS if name not in declared.depends_on]
    tables = [name for name in whole.companions if name not in declared.companions]
    sizes = whole.jobs["size"].to_list()
    others = {name: draw_column(name, sizes, "second") for name in columns}
    kept = {name: table for name, table in whole.companions.items() if name not in tables}
    return {
        "without": replace(whole, jobs=whole.jobs.drop(columns), companions=kept),
        "other values": replace(
            whole,
            jobs=whole.jobs.with_columns(**others),
            companions={**kept, **{name: draw_companion(name, "second") for name in tables}},
        ),
    }


@pytest.fixture(scope="module")
def variants_of(whole: Workload) -> Callable[[str], dict[str, Workload]]:
    """Return the variants for a family, made once for all its policies."""
    return cache(lambda name: variants(whole, family(name)))


@pytest.mark.parametrize("word", policy_names())
def test_columns_and_tables_that_a_family_does_not_declare_decide_nothing(
    word: str, whole: Workload, variants_of: Callable[[str], dict[str, Workload]]
) -> None:
    policy = get_policy(word)
    if family_of(type(policy)) == "concurrent_gang":
        policy = replace(policy, slice_ms=2000.0)  # type: ignore[call-arg]  # few slices, as runs are long
    expected = simulate(whole, policy)
    for name, changed in variants_of(family_of(type(policy))).items():
        found = simulate(changed, policy)
        assert found.allocations.equals(expected.allocations), name
        assert all(table.equals(expected.tables[other]) for other, table in found.tables.items()), name


WIDEST = f"{PROJECT}/tests/scheduler_core/preemptive/moldable_policies.py:widest"

CHANGES = {
    ("gang", "class"): "gang(queue='priority', backfill='greedy')",
    ("gang", "flexibility"): "scojo",
    ("gang", "size_min"): "scojo",
    ("gang", "size_max"): "scojo",
    ("preemptive", "flexibility"): WIDEST,
    ("preemptive", "size_min"): WIDEST,
    ("preemptive", "size_max"): WIDEST,
    ("gang", "memory_kb"): "gang(packing='memory_fit', level=3)",
    ("slices", "class"): "pect",
    ("coscheduling", "memory_kb"): "lomarc(match='always')",
    ("grid", "class"): "grid",
    ("grid", "home"): "grid",
    ("space_sharing", "credit_us"): "fcfs",
}
"""A policy under which each declared column decides."""


@pytest.mark.parametrize(("name", "column"), [(name, c) for name, kind in families().items() for c in kind.depends_on])
def test_columns_that_a_family_declares_decide(name: str, column: str, whole: Workload) -> None:
    clusters = 2 if get_policy(CHANGES[name, column]).several_clusters else 1
    sizes = whole.jobs["size"].to_list()
    if clusters > 1:
        homes = draw_column("home", sizes, "first", clusters)
        machine = Machine(clusters=(Cluster(PROCESSORS),) * clusters)
        tables = {"tasks": whole.companions["tasks"]}
        whole = Workload(whole.jobs.with_columns(homes), machine, companions=tables)
    other = draw_column(column, sizes, "second", clusters)
    policy = CHANGES[name, column]
    before, after = (simulate(w, policy) for w in (whole, replace(whole, jobs=whole.jobs.with_columns(other))))
    assert not before.allocations.equals(after.allocations)


def test_a_workload_without_a_needed_companion_table_is_refused(
    whole: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = simulate(whole, "easy")
    needy = replace(family("space_sharing"), companions=("behaviour", "applications"))
    monkeypatch.setitem(families(), "space_sharing", needy)
    Shell(needy, get_policy("easy"), whole)
    poor = replace(whole, companions={"applications": whole.companions["applications"]})
    with pytest.raises(
        ContractError,
        match=r"^EASY \([^()]*\) needs the workload's companion tables behaviour, applications; missing: behaviour",
    ):
        Shell(needy, get_policy("easy"), poor)
    from scheduler_core.checker import check

    assert check(whole, made).legal
    with pytest.raises(ContractError, match="missing: behaviour; found applications"):
        check(poor, made)
