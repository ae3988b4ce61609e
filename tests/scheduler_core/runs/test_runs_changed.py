"""A run is its own witness as far as its digests go: whatever is changed in its files is found; and what a workload adds."""

import json
import re
from dataclasses import replace

import polars as pl
import pytest

from scheduler_core.checker import check
from scheduler_core.common.errors import ContractError, ParameterError
from scheduler_core.contracts import Machine, read_replications, write_replications
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.folder import check_run, digest_json, read_run
from slotwise.cli.main import main
from tests.cells import run_cell


@pytest.fixture
def cell(small_workload, tmp_path):
    """A run under gang scheduling, which names its processors, and its workload beside it."""
    write_replications(tmp_path / "w.parquet", [small_workload, small_workload.first(4)])
    run_cell(tmp_path / "w.parquet", "gang", {"level": 2}, tmp_path / "run")
    return tmp_path / "run"


def edit(path, change):
    """Rewrite a table of a run, its version kept."""
    table, version = pl.read_parquet(path), pl.read_parquet_metadata(path)["table"]
    change(table).write_parquet(path, metadata={"table": version})


def edit_note(path, change, *, digest=True):
    """Rewrite a note of a run; with ``digest`` it states the digest of what it says now."""
    note = json.loads(path.read_text())
    change(note)
    if digest:
        note["digest"] = digest_json({name: value for name, value in note.items() if name != "digest"})
    path.write_text(json.dumps(note))


OTHER_SCHEDULE = "the schedule of replication 0 is not the one"
OTHER_WORKLOAD = "the workload of replication 0 is not the one"


def again(**columns):
    """Write the first row once more, with other values."""
    return lambda t: pl.concat([t, t.head(1).with_columns(**columns)])


@pytest.mark.parametrize(
    ("table", "change", "words"),
    [
        ("allocations", lambda t: t.with_columns(pl.col("processor_ids").list.reverse()), OTHER_SCHEDULE),
        ("allocations", lambda t: t.with_columns(processor_ids=pl.lit(None, pl.List(pl.Int32))), OTHER_SCHEDULE),
        ("levels", lambda t: t.with_columns(pl.col("level") + 1), OTHER_SCHEDULE),
        ("jobs", lambda t: t.with_columns(pl.col("preemptions") + (pl.col("job") == 2).cast(pl.Int32)), OTHER_SCHEDULE),
        ("jobs", lambda t: t.with_columns(pl.col("submit_us") + 1), OTHER_WORKLOAD),
        (
            "allocations",
            lambda t: t.head(-1),
            r"replication 1 has \d+ rows, certificate.json says \d+; the file was changed",
        ),
        ("jobs", lambda t: t.tail(-1), "jobs.parquet: replication 0 has 5 rows, run.json says 6; the file was changed"),
        ("jobs", again(replication=pl.lit(7, pl.Int16)), "1 row of replication 7, and the run has 2"),
        ("levels", again(replication=pl.lit(-1, pl.Int16)), "1 row of replication -1"),
    ],
)
def test_a_changed_table_is_found(cell, table, change, words):
    edit(cell / f"{table}.parquet", change)
    with pytest.raises(ContractError, match=words):
        read_run(cell)


NOTES = {
    "another policy": lambda note: note["policy"].update(name="scojo"),
    "another parameter": lambda note: note["policy"]["parameters"].update(level=3),
    "another counter": lambda note: note["replications"][1]["counters"].update(passes=0),
    "another count of jobs": lambda note: note["replications"][0].update(killed=1),
    "another machine": lambda note: note["machine"]["clusters"][0].update(memory_kb=1),
    "no replications": lambda note: note["replications"].clear(),
}


@pytest.mark.parametrize("name", NOTES)
def test_a_changed_note_is_found(cell, name):
    edit_note(cell / "run.json", NOTES[name], digest=False)
    with pytest.raises(ContractError, match=r"run\.json: it is not as it was written"):
        read_run(cell)


CLAIMS = {  # by what is said of them
    ContractError: {
        "expected replications 0, 1, ...; found none": lambda note: note["replications"].clear(),
        r"found \[1\]": lambda note: note["replications"].pop(0),
        "does not certify the schedules": lambda note: note["replications"].pop(1),
        "of the family gang; found slices": lambda note: note.update(family="slices"),
        "the policy fcfs is of the family space_sharing; found gang": lambda note: note.update(
            policy={"name": "fcfs", "parameters": get_policy("fcfs").values()}
        ),
        "became {'finished': ": lambda note: note["replications"][1].update(finished=40),
        OTHER_WORKLOAD: lambda note: note["machine"]["clusters"][0].update(memory_kb=1),
    },
    ParameterError: {
        "did you mean 'gang'": lambda note: note["policy"].update(name="gong"),
        "'simple_gang' is a preset of the policy 'gang'": lambda note: note["policy"].update(name="simple_gang"),
        "scojo has no parameter": lambda note: note["policy"].update(name="scojo"),
        "gives every parameter of gang; missing: fill": lambda note: note["policy"]["parameters"].pop("fill"),
    },
}


@pytest.mark.parametrize(("error", "words"), [(error, words) for error in CLAIMS for words in CLAIMS[error]])
def test_a_note_that_cannot_be_is_refused_whatever_digest_it_states(cell, error, words):
    edit_note(cell / "run.json", CLAIMS[error][words])
    with pytest.raises(error, match=words):
        read_run(cell)


def test_a_certificate_of_another_schedule_is_found(cell, tmp_path):
    run_cell(tmp_path / "w.parquet", "gang", {"level": 3}, tmp_path / "other")
    (cell / "certificate.json").write_bytes((tmp_path / "other" / "certificate.json").read_bytes())
    with pytest.raises(ContractError, match="the certificate is not the one"):
        read_run(cell)
    own = digest_json(json.loads((cell / "certificate.json").read_text()))
    edit_note(cell / "run.json", lambda note: note.update(certificate_digest=own))
    with pytest.raises(ContractError, match="does not certify the schedules"):
        read_run(cell)
    (cell / "certificate.json").unlink()
    with pytest.raises(ContractError, match="there is no certificate"):
        read_run(cell)


def test_the_certificate_says_what_it_does_not_prove(cell):
    certificate = json.loads((cell / "certificate.json").read_text())["replications"][0]
    assert certificate["family"] == "gang"
    assert any("which of the waiting jobs" in clause for clause in certificate["unchecked"])
    described = check_run(read_run(cell))[0].describe()
    assert all(clause in described for clause in certificate["unchecked"])


def others(small_workload):
    """Workloads that differ from the one of the run: by a job, a submission, and machines."""
    jobs = small_workload.jobs
    later = jobs.with_columns(submit_us=pl.when(job=6).then(pl.col("submit_us") + 1).otherwise("submit_us"))
    more = jobs.tail(1).with_columns(job=pl.lit(99, pl.Int64))
    return {
        "every job appears once": replace(small_workload, jobs=pl.concat([jobs, more])),
        "what was asked is unchanged": replace(small_workload, jobs=later),
    }


@pytest.mark.parametrize("rule", ["every job appears once", "what was asked is unchanged"])
def test_removed_and_moved_jobs_are_found_with_the_workload(cell, small_workload, rule):
    run = read_run(cell)
    assert all(certificate.legal for certificate in check_run(run))
    found = check_run(run, [others(small_workload)[rule], small_workload.first(4)])
    assert [certificate.legal for certificate in found] == [False, True]
    assert rule in {finding.rule for finding in found[0].findings if finding.violations}


def test_another_workload_is_said_before_its_violations(cell, tmp_path, small_workload, capsys):
    write_replications(
        tmp_path / "v.parquet", [others(small_workload)["every job appears once"], small_workload.first(4)]
    )
    assert main(["check", str(cell), "--workload", str(tmp_path / "v.parquet")]) == 1
    first, *rest = capsys.readouterr().out.splitlines()
    assert rest[0].startswith("give the workload or log with all options of `slotwise simulate` that made the run")
    assert re.match(
        r".*run: this run was made of another workload: replication 0 of w, 6 jobs, digest \w{12}…; ", first
    )
    assert re.search(r"found v.parquet, 7 jobs, digest \w{12}…$", first)
    assert any("every job appears once: broken 1 times" in line for line in rest)
    assert main(["check", str(cell), "--workload", str(tmp_path / "w.parquet")]) == 0
    assert "another workload" not in capsys.readouterr().out


def test_the_workload_of_the_run_is_the_one_it_was_made_of(cell, tmp_path, small_workload):
    run, given = read_run(cell), read_replications(tmp_path / "w.parquet")
    assert all(certificate.legal for certificate in check_run(run, given))
    with pytest.raises(ContractError, match="the run has 2 replications, and the workload 1"):
        check_run(run, given[:1])
    elsewhere = [replace(w, machine=Machine(8, memory_kb=64)) for w in given]
    with pytest.raises(ContractError, match="made for another machine"):
        check_run(run, elsewhere)
    renamed = [replace(w, machine=Machine(8, "another name")) for w in given]
    assert all(certificate.legal for certificate in check_run(run, renamed))


def test_a_policy_is_rebuilt_with_every_parameter(cell):
    run = read_run(cell)
    schedule = run.schedules[0]
    note = {**schedule.run, "policy": {"name": "gang", "parameters": {}}}
    with pytest.raises(ParameterError, match="gives every parameter of gang"):
        check(run.workloads[0], replace(schedule, run=note))
    other = {**schedule.run, "policy": {"name": "fcfs", "parameters": get_policy("fcfs").values()}}
    with pytest.raises(
        ContractError, match="the schedule is one of gang, and its policy fcfs makes those of space_sharing"
    ):
        check(run.workloads[0], replace(schedule, run=other))
