"""Machines of one and of several clusters; companion tables of workloads; digests of all a schedule may depend on."""

from dataclasses import replace

import polars as pl
import pytest

import scheduler_core.contracts.workload as contracts
from scheduler_core import simulate
from scheduler_core.common.errors import ContractError
from scheduler_core.contracts import COMPANIONS, Cluster, Machine, Workload, read_replications, write_replications


def table(name, *rows):
    return pl.DataFrame(rows, schema=dict(COMPANIONS[name].columns), orient="row")


def behaves(job, *, kind="cpu", own=(0.5, 0.25, 0.25), overlapped=(0.0, 0.0, 0.0), phases=(0.0, 0.5), application=0):
    """Return a row of `behaviour`."""
    return (job, kind, *own, *overlapped, *phases, application)


def shared(job, *, low=0.2, high=0.4, site="local", asks="nothing", later_us=0):
    """Return a row of `shares`; the jobs of `small_workload` are submitted 10 s after each other."""
    return (job, "short", low, high, site, asks, (job - 1) * 10_000_000 + later_us)


def other_row(name, row):
    """Return the whole tables with another row of the first or of the last job."""
    rest = WHOLE[name].filter(pl.col("job") != row[0])
    return {**WHOLE, name: pl.concat([table(name, row), rest]).sort("job")}


JOBS = range(1, 7)


WHOLE = {
    "tasks": table("tasks", (1, 1, 1), (3, 2, 1)),
    "behaviour": table("behaviour", *(behaves(job) for job in JOBS)),
    "slowdowns": table("slowdowns", (0, 0, 1.3)),
    "shares": table("shares", *(shared(job) for job in JOBS)),
}


def test_one_cluster_costs_no_extra_word():
    machine = Machine(128, "SP2", 4, memory_kb=1024)
    assert (machine.processors, machine.processors_per_node, machine.memory_kb, machine.speed) == (128, 4, 1024, 1.0)
    assert machine == Machine(clusters=(Cluster(128, 4, 1024),), name="SP2")
    assert machine.altered(processors=64) == Machine(64, "SP2", 4, memory_kb=1024)


def test_several_clusters_add_up_and_are_not_taken_for_one():
    machine = Machine(name="grid", clusters=(Cluster(64, speed=2.0), Cluster(128, name="large")))
    assert machine.processors == 192
    assert Machine.from_dict(machine.as_dict()) == machine
    for word in ("memory_kb", "speed", "processors_per_node"):
        with pytest.raises(ContractError, match="the machine grid has 2 clusters; this is defined for one"):
            getattr(machine, word)


@pytest.mark.parametrize(
    ("machine", "found"),
    [
        (Machine(name="grid", clusters=(Cluster(4), Cluster(4))), "the machine grid has 2 clusters"),
        (Machine(8, "fast", speed=2.0), "the machine fast has processors of speed 2"),
    ],
)
def test_policies_of_one_cluster_refuse_what_they_would_take_for_one(small_workload, machine, found):
    with pytest.raises(ContractError, match=f"easy is defined for one cluster of processors at speed 1; {found}"):
        simulate(replace(small_workload, machine=machine), "easy")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"processors": 0}, "at least one processor; found 0"),
        ({"processors": 8, "processors_per_node": 0}, "a node has at least one processor"),
        ({"processors": 8, "memory_kb": -1}, "memory_kb is at least 0; found -1"),
        ({"processors": 8, "speed": 0.0}, "speed of a cluster is above 0"),
        ({"processors": 8, "clusters": (Cluster(4),)}, "found both"),
    ],
)
def test_what_no_machine_can_be_is_refused(words, message):
    with pytest.raises(ContractError, match=message):
        Machine(**words)


@pytest.mark.parametrize(
    "note",
    [
        {"name": "", "processors": 8},
        {"name": "", "processors": 8, "clusters": [{"processors": 8, "colour": "red"}]},
        {"name": "", "processors": 9, "clusters": [{"processors": 8}]},
    ],
)
def test_a_machine_that_is_written_otherwise_is_refused(note):
    with pytest.raises(ContractError):
        Machine.from_dict(note)


def test_a_digest_covers_all_that_a_schedule_may_depend_on(small_workload):
    plain = small_workload.digest
    machines = [
        Machine(9),
        Machine(8, memory_kb=1),
        Machine(8, processors_per_node=2),
        Machine(8, speed=2.0),
        Machine(clusters=(Cluster(4), Cluster(4))),
    ]
    jobs = small_workload.jobs
    others = [
        replace(small_workload, jobs=jobs.with_columns(pl.col("runtime_us") + 1)),
        *(replace(small_workload, machine=machine) for machine in machines),
        *(replace(small_workload, companions={name: WHOLE[name]}) for name in ("tasks", "behaviour")),
        replace(small_workload, jobs=jobs.with_columns(memory_kb=pl.lit(None, pl.Int64))),
        replace(small_workload, jobs=jobs.with_columns(memory_kb=pl.lit(0, pl.Int64))),
        replace(small_workload, jobs=jobs.with_columns(memory_kb=pl.lit(-1, pl.Int64))),
    ]
    assert len({plain, *(other.digest for other in others)}) == 1 + len(others)


def test_names_and_what_no_policy_reads_decide_nothing(small_workload):
    named = replace(small_workload, machine=Machine(8, "another name"), provenance={"source": "elsewhere"})
    assert named.digest == small_workload.digest
    users = small_workload.jobs.with_columns(user=pl.lit(7, pl.Int32))
    assert replace(small_workload, jobs=users).digest == small_workload.digest


def test_companions_survive_their_files_and_follow_their_jobs(small_workload, tmp_path):
    whole = replace(small_workload, companions=WHOLE)
    part = whole.first(2)
    assert part.companions["tasks"]["job"].to_list() == [1]
    assert part.companions["slowdowns"].height == 1
    write_replications(tmp_path / "w.parquet", [whole, part])
    again = read_replications(tmp_path / "w.parquet")
    assert [w.digest for w in again] == [whole.digest, part.digest]
    assert again[1].companions["behaviour"].equals(part.companions["behaviour"])
    whole.write(tmp_path / "one.parquet")
    assert Workload.read(tmp_path / "one.parquet").digest == whole.digest


def test_a_reader_that_needs_no_companion_does_not_mind_one(small_workload, tmp_path):
    replace(small_workload, companions=WHOLE).write(tmp_path / "w.parquet")
    schedule = simulate(Workload.read(tmp_path / "w.parquet"), "easy")
    assert schedule.digest == simulate(small_workload, "easy").digest


def test_a_companion_that_was_changed_lost_or_left_over_is_noticed(small_workload, tmp_path):
    path = tmp_path / "w.parquet"
    replace(small_workload, companions={"tasks": WHOLE["tasks"]}).write(path)
    table("tasks", (1, 1, 1), (4, 2, 1)).write_parquet(tmp_path / "w.tasks.parquet")
    with pytest.raises(ContractError, match=r"not the table that w\.parquet was written with"):
        Workload.read(path)
    (tmp_path / "w.tasks.parquet").unlink()
    with pytest.raises(ContractError, match="cannot read the table of tasks"):
        Workload.read(path)
    replace(small_workload, companions=WHOLE).write(path)
    small_workload.write(path)
    assert [file.name for file in tmp_path.iterdir()] == ["w.parquet"]


def test_a_workload_whose_writing_was_broken_off_is_noticed_and_written_anew(small_workload, tmp_path, monkeypatch):
    path = tmp_path / "w.parquet"
    old = replace(small_workload, companions={"tasks": WHOLE["tasks"]})
    new = replace(small_workload, companions={"tasks": table("tasks", (1, 1, 1), (4, 2, 1))})
    write_replications(path, [old, old])
    with monkeypatch.context() as patched:
        whole = contracts.write_parquet

        def killed(to, *rest):
            if to == path:
                raise KeyboardInterrupt
            whole(to, *rest)

        patched.setattr(contracts, "write_parquet", killed)
        with pytest.raises(KeyboardInterrupt):
            write_replications(path, [new, new])
    with pytest.raises(ContractError, match=r"not the table that w\.parquet was written with; make both again"):
        read_replications(path)
    write_replications(path, [new, new])
    assert [w.digest for w in read_replications(path)] == [new.digest] * 2


BROKEN = {  # by what is said of them
    "no companion table 'colours'; known: tasks, edges": {"colours": WHOLE["tasks"]},
    "table 'tasks': column 'task' is missing": {"tasks": WHOLE["tasks"].drop("task")},
    "'workflow' has no value in 1 of 1": {"tasks": table("tasks", (1, None, 1))},
    "the six fractions do not add up to 1 in 1 of 6 rows, the first of them job 1, cpu 0.5, network 0.5, disk 0.5": other_row(
        "behaviour", behaves(1, own=(0.5, 0.5, 0.5))
    ),
    "do not add up to 1": other_row("behaviour", behaves(1, own=(0.5, 0.25, 0.2))),
    "a fraction is outside 0 to 1 in 1 of 6 rows, the first of them job 1, cpu -0.5": other_row(
        "behaviour", behaves(1, own=(-0.5, 1.0, 0.5))
    ),
    "a phase is outside 0 to below 1": other_row("behaviour", behaves(1, phases=(1.0, 0.0))),
    "1 of 6 jobs have no row, the first of them job 4": {"behaviour": WHOLE["behaviour"][[0, 1, 2, 4, 5]]},
    "no row for application 0 beside 2, and 3 of 4 such rows are missing; .* [(]application 0 is that of job 2[)]": other_row(
        "behaviour", behaves(1, application=2)
    ),
    "rows are not in the order of application, beside in 1 of 2 rows, the first of them application 0, beside 0": {
        **WHOLE,
        "slowdowns": table("slowdowns", (0, 0, 1.0), (0, 0, 1.1)),
    },
    "slowdown is outside 0.001 to 1000 in 1 of 1 rows, the first of them application 0, beside 0, slowdown 0.0": {
        **WHOLE,
        "slowdowns": table("slowdowns", (0, 0, 0.0)),
    },
    "needs table 'behaviour'": {"slowdowns": WHOLE["slowdowns"]},
    "no job may ask for the whole of a processor in 1 of 6 rows, the first of them job 1, share_high 1.0": other_row(
        "shares", shared(1, high=1.0)
    ),
    "share_low is not above 0 .* job 1, share_low 0.0": other_row("shares", shared(1, low=0.0)),
    "share_high is below share_low": other_row("shares", shared(1, high=0.1)),
    "share_high is below share_low in 1": other_row("shares", shared(1, low=float("nan"))),
    "a local job asks for a start": other_row("shares", shared(1, asks="reserves")),
    "wanted_us is before submit_us in 1 of 6 rows, the first of them job 6, wanted_us 49999999, submit_us 50000000": other_row(
        "shares", shared(6, site="cross_site", asks="picks", later_us=-1)
    ),
    "where the job asks for nothing in 1 of 6 rows, the first of them job 1, asks nothing, wanted_us 7, submit_us 0": other_row(
        "shares", shared(1, later_us=7)
    ),
}


@pytest.mark.parametrize("words", BROKEN)
def test_a_broken_companion_is_named(small_workload, words):
    with pytest.raises(ContractError, match=words):
        replace(small_workload, companions=BROKEN[words])


def test_replications_are_of_one_machine_and_have_the_same_tables(small_workload, tmp_path):
    for other in (replace(small_workload, companions=WHOLE), small_workload.on_machine(9)):
        with pytest.raises(ContractError, match="for one machine and have the same tables"):
            write_replications(tmp_path / "w.parquet", [small_workload, other])
    with pytest.raises(ContractError, match="at least one replication"):
        write_replications(tmp_path / "w.parquet", [])
    assert not list(tmp_path.iterdir())
