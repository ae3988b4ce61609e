"""Policies of the user's own."""

import gc
import pickle
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import slotwise as sw
from scheduler_core.common.errors import ContractError, IllegalScheduleError, ParameterError, PolicyError
from scheduler_core.contracts.companions import STANDSTILLS_COLUMNS
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.folder import check_run, read_run
from scheduler_core.runs.replay import replay_of
from scheduler_core.runs.simulation import run_replications
from tests.paths import PROJECT
from tests.scheduler_core.space_sharing import own_policies
from traces.catalog import find_log

FILE = PROJECT / "tests" / "scheduler_core" / "space_sharing" / "own_policies.py"

COMPILED = {"fcfs": "fcfs", "shortest_first": "sjf", "easy": "easy"}
"""Policies of that file, and the compiled policy that each equals."""


@pytest.fixture(scope="module")
def drawn():
    """Return the drawn log."""
    return sw.read_log("drawn")


@pytest.mark.parametrize(("own", "compiled"), COMPILED.items())
def test_written_in_python_a_policy_gives_the_compiled_schedule_job_by_job(drawn, own, compiled):
    made = sw.simulate(drawn, getattr(own_policies, own))
    assert made.jobs.equals(sw.simulate(drawn, compiled).jobs)
    assert sw.check(drawn, made).legal


@pytest.mark.parametrize(("own", "compiled"), COMPILED.items())
def test_it_is_not_called_in_a_standstill(drawn, own, compiled):
    hour = 3_600_000_000
    periods = [(30 * hour, 50 * hour), (50 * hour, 53 * hour), (100 * hour, 160 * hour)]
    table = pl.DataFrame(periods, schema=STANDSTILLS_COLUMNS, orient="row")
    workload = replace(drawn.first(2000), companions={"standstills": table})
    made = sw.simulate(workload, getattr(own_policies, own))
    assert made.jobs.equals(sw.simulate(workload, compiled).jobs)
    assert sw.check(workload, made).legal


@pytest.mark.parametrize("log", ["SDSC-SP2-1998-4.2-cln", "CTC-SP2-1996-3.1-cln"])
def test_easy_in_python_equals_the_compiled_one_on_whole_logs(log):
    if find_log(log) is None:
        pytest.skip(f"the log {log} is missing: `slotwise logs fetch` gets it")
    workload = sw.read_log(log)
    assert sw.simulate(workload, own_policies.easy).jobs.equals(sw.simulate(workload, "easy").jobs)


def test_a_policy_is_named_by_its_file(drawn):
    few = drawn.first(500)
    by_name, by_object = sw.simulate(few, f"{FILE}:easy"), sw.simulate(few, own_policies.easy)
    assert by_name.jobs.equals(by_object.jobs)
    assert by_name.run["policy"]["parameters"]["sha256"] == by_object.run["policy"]["parameters"]["sha256"]
    assert by_name.run["policy"]["title"] == "easy (own_policies.py)"
    assert replay_of(few, by_name).same


def test_a_class_is_made_anew_for_each_simulation(drawn):
    few = drawn.first(300)
    one, other = (sw.simulate(few, own_policies.EveryHour) for _ in range(2))
    assert one.jobs.equals(other.jobs)
    starts = one.jobs["start_us"].to_numpy()
    assert not (starts % 3_600_000_000).any()
    assert sw.check(few, one).legal


def test_an_object_keeps_its_state(drawn):
    few, policy = drawn.first(50), own_policies.EveryHour()
    assert sw.check(few, sw.simulate(few, policy)).legal
    assert policy.calls > 50
    with pytest.raises(ParameterError, match="given as an object, so no file says what it does"):
        replay_of(few, sw.simulate(few, own_policies.EveryHour()))


def test_users_are_seen_and_numbers_may_be_returned(drawn):
    few = drawn.first(400)
    jobs = sw.simulate(few, own_policies.by_user).jobs.join(few.jobs.select("job", "user"), on="job")
    for _, own in jobs.drop_nulls("user").group_by("user"):
        ordered = own.sort("start_us")
        assert (ordered["start_us"].to_numpy()[1:] >= ordered["finish_us"].to_numpy()[:-1]).all()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("never", "no job runs and it starts none, so these jobs would wait for ever: "),
        ("asking_for_ever", "it starts none in 100,000 calls, so these jobs would wait for ever: "),
        ("too_wide", r"processors, but [\d,]+ are free"),
        ("twice", r"it starts job \d+, which has started already"),
        ("a_stranger", "it returned 1000000000; expected jobs of `waiting`, their numbers, Start, Promise, CallAgain"),
        ("nonsense", "it returned 'first'; expected jobs"),
        ("broken", r"it raised ZeroDivisionError: division by zero \(line \d+ of .*own_policies.py\)"),
        ("forging", r"processors, but [\d,]+ are free"),
        ("placing_twice", r"it starts job \d+ on processors \[0, 0\]; expected 2 different ones"),
        ("placing_short", r"it starts job \d+ on processors \[\]; expected [\d,]+ different ones"),
        ("placing_outside", r"on processor -1, which is not free; the machine has 0 to 127"),
        ("placing_on_taken", r"it starts job \d+ on processor 0, which is not free; the machine has 0 to 127"),
        ("placing_on_words", r"it starts job \d+ on 'ab'; expected the numbers of its processors"),
        ("placing_one_number", r"it starts job \d+ on 3; expected the numbers of its processors"),
        ("placing_some", "names processors for some jobs only; name them for all jobs, or for none"),
        ("placing_late", "names processors for some jobs only; name them for all jobs, or for none"),
        ("promising_the_past", r"it promises job \d+ a start at .* s, which is past"),
        ("promising_the_started", r"it makes a promise to job \d+, which has started already"),
        ("renumbering", "it starts job 1000000000, which is no job of the workload"),
        ("never_again", r"it returned the time 1e\+300; expected seconds, as `now`"),
        ("promising_never", "it returned the time nan; expected seconds, as `now`"),
        ("in_the_past", "it asks to be called again at .* s, which is not later"),
        ("meddling", "a policy cannot change what it sees"),
        ("looking_for_run_times", "a job has no 'runtime'; no scheduler knows run times, so take its 'estimate'"),
        ("mistyping_a_name", r"a job has no 'sise'; did you mean 'size'\?"),
    ],
)
def test_what_cannot_be_done_is_told_with_the_call_and_the_time(drawn, name, message):
    with pytest.raises(PolicyError, match=rf"^{name} \(own_policies.py\), call [\d,]+ at [\d,.e+]+ s: .*{message}"):
        sw.simulate(drawn.first(200), getattr(own_policies, name))


@pytest.mark.parametrize("name", ["fcfs", "on_the_last_processors"])
def test_a_run_of_a_function_goes_to_another_process(drawn, name):
    made = sw.simulate(drawn.first(100), getattr(own_policies, name))
    assert pickle.loads(pickle.dumps(made)).digest == made.digest


def test_a_policy_may_name_the_processors_of_jobs(drawn):
    few = drawn.first(300)
    made = sw.simulate(few, own_policies.on_the_last_processors)
    certificate = sw.check(few, made)
    assert certificate.legal, certificate.describe()
    assert made.jobs.equals(sw.simulate(few, own_policies.fcfs).jobs)
    first = made.allocations.sort("begin_us").row(0, named=True)
    last = few.machine.processors
    assert first["processor_ids"] == list(range(last - first["processors"], last))
    assert made.allocations["processor_ids"].list.len().eq(made.allocations["processors"]).all()
    assert replay_of(few, made).same


def test_easy_keeps_the_promises_it_makes(drawn):
    few = drawn.first(1000)
    made = sw.simulate(few, own_policies.easy_with_promises)
    assert made.jobs.equals(sw.simulate(few, "easy").jobs)
    certificate = sw.check(few, made, replay=True)
    assert certificate.legal
    assert certificate.replay.same
    [kept] = [finding for finding in certificate.findings if finding.rule == "no start delays a promise"]
    assert kept.checked == made.tables["promises"].height > 100


def test_a_broken_promise_is_found(drawn):
    few = drawn.first(1000)
    certificate = sw.check(few, sw.simulate(few, own_policies.promising_too_much))
    assert [finding.rule for finding in certificate.findings if finding.violations] == ["no start delays a promise"]
    assert "no start delays a promise: broken" in certificate.describe()


FORGED = {
    "an earlier latest start": {"latest_us": pl.col("made_us")},
    "made before the submission": {"made_us": pl.lit(-1, pl.Int64)},
    "made after the start": {"made_us": pl.col("latest_us") + 10**12, "latest_us": pl.col("latest_us") + 10**12},
    "to no job of the workload": {"job": pl.lit(-5, pl.Int64)},
}


@pytest.mark.parametrize("forged", FORGED)
def test_forged_promises_are_found(drawn, forged):
    few = drawn.first(200)
    made = sw.simulate(few, own_policies.easy_with_promises)
    tables = {"promises": made.tables["promises"].with_columns(**FORGED[forged])}
    certificate = sw.check(few, replace(made, tables=tables))
    assert [finding.rule for finding in certificate.findings if finding.violations] == ["no start delays a promise"]


def test_without_promises_a_schedule_and_its_certificate_are_as_before(drawn):
    few = drawn.first(100)
    made = sw.simulate(few, own_policies.easy)
    assert "promises" not in made.tables
    assert made.digest == sw.simulate(few, "easy").digest
    assert sw.check(few, made).as_dict()["rules"] == sw.check(few, sw.simulate(few, "easy")).as_dict()["rules"]


def test_promises_are_files_of_a_run(drawn, tmp_path):
    pair = [drawn.first(1), drawn.first(300)]  # the first job need not wait, so nothing is promised
    policy = get_policy(f"{FILE}:easy_with_promises")
    run_replications(pair, policy, tmp_path, "drawn")
    run = read_run(tmp_path)
    assert ["promises" in schedule.tables for schedule in run.schedules] == [False, True]
    assert all(certificate.legal for certificate in check_run(run, pair))
    (tmp_path / "promises.parquet").unlink()
    with pytest.raises(ContractError, match="the schedule of replication 1 is not the one"):
        read_run(tmp_path)
    run_replications(pair, policy, tmp_path, "drawn")
    run_replications(pair, get_policy("easy"), tmp_path, "drawn")
    assert not (tmp_path / "promises.parquet").exists()
    with pytest.raises(IllegalScheduleError, match="Policies of your own may break the promises they make"):
        run_replications(pair, get_policy(f"{FILE}:promising_too_much"), tmp_path, "drawn")


def test_a_changed_file_is_another_policy(drawn, tmp_path):
    file = tmp_path / "mine.py"
    body = "return [waiting[0]] if waiting[0].size <= free else []"
    file.write_text(f"def first(now, waiting, running, free):\n    {body}\n")
    policy = get_policy(f"{file}:first")
    schedule = sw.simulate(drawn.first(20), policy)
    file.write_text(file.read_text() + "# other\n")
    assert get_policy(f"{file}:first") != policy
    with pytest.raises(ParameterError, match="the file has changed since the policy was read"):
        replay_of(drawn.first(20), schedule)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.py:easy", "nowhere.py: the file of the policy cannot be read .*looked for in "),
        (f"{FILE}:esay", "there is no 'esay' in it; did you mean 'easy'"),
    ],
)
def test_missing_files_and_functions_are_told(name, message):
    with pytest.raises(ParameterError, match=message):
        get_policy(name)


def test_a_file_that_cannot_run_is_told(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def first(:\n")
    with pytest.raises(ParameterError, match="the file cannot be run: SyntaxError"):
        get_policy(f"{file}:first")


def test_columns_are_those_of_the_jobs(drawn):
    seen = []

    def looking(now, waiting, running, free):
        seen.append((waiting.size.tolist(), [job.size for job in waiting], len(waiting), waiting[0] in waiting))
        assert np.array_equal(running.number, [job.number for job in running])
        with pytest.raises(AttributeError, match="jobs have no 'runtime'"):
            _ = waiting.runtime
        return own_policies.fcfs(now, waiting, running, free)

    sw.simulate(drawn.first(100), looking)
    assert all(column == sizes and len(sizes) == count and known for column, sizes, count, known in seen)
    gc.collect()


def test_the_first_of_no_jobs_is_an_error_as_of_any_list(drawn):
    with pytest.raises(PolicyError, match="it raised IndexError: "):
        sw.simulate(drawn.first(5), lambda now, waiting, running, free: running[0])


def test_a_job_wider_than_the_machine_is_rejected_before_the_policy_sees_it(drawn):
    narrow = drawn.first(200).on_machine(16)
    schedule = sw.simulate(narrow, own_policies.easy)
    assert schedule.jobs.equals(sw.simulate(narrow, "easy").jobs)
    assert "rejected" in schedule.jobs["outcome"].cast(str).to_list()
