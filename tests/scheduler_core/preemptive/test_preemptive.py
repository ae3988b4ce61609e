"""Policies of the user's own that suspend jobs and resume them."""

from dataclasses import replace

import numba
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slotwise as sw
from scheduler_core.common.errors import ParameterError, PolicyError
from scheduler_core.contracts import WORKLOAD_COLUMNS, Machine, Workload
from scheduler_core.contracts.companions import OUT_OF_USE_COLUMNS, STANDSTILLS_COLUMNS
from scheduler_core.declarations.policy import get_policy
from scheduler_core.runs.folder import check_run, read_run
from scheduler_core.runs.replay import replay_of
from tests.oracles.job import Job
from tests.oracles.preemptive import oracle
from tests.paths import PROJECT
from tests.profiles import searching
from tests.scheduler_core.examples import Case, HypothesisChooser
from tests.scheduler_core.preemptive import preemptive_policies
from tests.scheduler_core.space_sharing import own_policies
from tests.scheduler_core.space_sharing.subjects import draw_jobs

FILE = PROJECT / "tests" / "scheduler_core" / "preemptive" / "preemptive_policies.py"

SECOND, HOUR = 1_000_000, 3_600_000_000

NEVER_SUSPENDING = {"fcfs": "fcfs", "shortest_first": "sjf", "easy": "easy"}
"""Policies of the tests of space sharing, and the compiled policy that each equals."""


@pytest.fixture(scope="module")
def drawn():
    """Return the drawn log."""
    return sw.read_log("drawn")


def as_preemptive(name):
    """Return a policy of space sharing that may suspend jobs, and suspends none."""
    choose = getattr(own_policies, name)
    return sw.preemptive(lambda *seen: choose(*seen))


def allocations(schedule):
    return sorted(schedule.allocations.select("job", "begin_us", "end_us").rows())


@st.composite
def cases(draw, narrow=False):
    """Draw jobs on a machine; with ``narrow`` of one processor each, with exact estimates, on one processor."""
    choose = HypothesisChooser(draw)
    processors = 1 if narrow else choose.integer(1, 16)
    jobs = draw_jobs(choose, processors, 25, exact=narrow)
    if narrow:
        jobs = [replace(job, size=1) for job in jobs]
    return Case(jobs, processors, get_policy("fcfs"))


@st.composite
def cases_of_hours(draw):
    """Draw jobs of minutes to hours, so that slices of an hour cut them."""
    case = draw(cases())
    tick = HOUR // draw(st.sampled_from([1, 3, 7])) // max(1, min(job.runtime for job in case.jobs))
    longer = [
        Job(job.job, job.submit * tick, job.runtime * tick, job.estimate * tick, job.size)
        for job in case.jobs
        if max(job.runtime, job.estimate) * tick < 40 * HOUR
    ]
    return replace(case, jobs=longer)


@pytest.mark.parametrize(("own", "compiled"), NEVER_SUSPENDING.items())
def test_without_suspensions_the_schedule_is_that_of_space_sharing_job_by_job(drawn, own, compiled):
    made, expected = sw.simulate(drawn, as_preemptive(own)), sw.simulate(drawn, compiled)
    assert made.jobs.equals(expected.jobs)
    assert made.allocations.equals(expected.allocations)
    assert made.metrics() == expected.metrics()
    assert sw.check(drawn, made).legal


@pytest.mark.parametrize(("own", "compiled"), NEVER_SUSPENDING.items())
@searching(30)
@given(case=cases())
def test_without_suspensions_it_is_that_of_space_sharing_on_drawn_jobs(own, compiled, case):
    made = sw.simulate(case.workload, as_preemptive(own))
    assert made.jobs.equals(sw.simulate(case.workload, compiled).jobs)


@searching(80)
@given(case=cases())
def test_shortest_remaining_time_equals_the_oracle(case):
    made = sw.simulate(case.workload, preemptive_policies.shortest_remaining)
    assert allocations(made) == oracle.schedule(oracle.shortest_remaining, case.jobs, case.processors)
    certificate = sw.check(case.workload, made)
    assert certificate.legal, certificate.describe()


@searching(80)
@given(case=cases_of_hours())
def test_round_robin_equals_the_oracle(case):
    made = sw.simulate(case.workload, preemptive_policies.RoundRobin)
    assert allocations(made) == oracle.schedule(oracle.round_robin(HOUR), case.jobs, case.processors, HOUR)
    certificate = sw.check(case.workload, made)
    assert certificate.legal, certificate.describe()


def test_drawn_jobs_are_suspended_again_and_again(drawn):
    few = drawn.first(400)
    jobs = [Job(*row) for row in few.jobs.select("job", "submit_us", "runtime_us", "estimate_us", "size").rows()]
    for policy, choose in (
        (preemptive_policies.shortest_remaining, oracle.shortest_remaining),
        (preemptive_policies.RoundRobin, oracle.round_robin(HOUR)),
    ):
        made = sw.simulate(few, policy)
        assert allocations(made) == oracle.schedule(choose, jobs, few.machine.processors, HOUR)
        assert made.jobs["preemptions"].max() > 5
        assert made.allocations.height == few.jobs.height + made.jobs["preemptions"].sum()


@searching(30)
@given(case=cases(narrow=True))
def test_on_one_processor_no_policy_has_a_lower_mean_response_than_shortest_remaining_time(case):
    def responses(policy):
        jobs = sw.simulate(case.workload, policy).jobs
        return (jobs["finish_us"] - jobs["submit_us"]).sum()

    others = ("fcfs", "sjf", "easy", "conservative", "priority", "lxf", preemptive_policies.RoundRobin)
    assert responses(preemptive_policies.shortest_remaining) <= min(map(responses, others))


def test_a_schedule_worked_by_hand():
    """Job 3 suspends job 2, which has suspended job 1; each is resumed when the shorter one has ended.

    1 ##.....########
    2   #.###
    3    #
    """
    rows = [
        (1, 0, 10 * SECOND, 10 * SECOND, 1),
        (2, 2 * SECOND, 4 * SECOND, 4 * SECOND, 1),
        (3, 3 * SECOND, SECOND, SECOND, 1),
    ]
    workload = Workload(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"), Machine(1))
    made = sw.simulate(workload, preemptive_policies.shortest_remaining)
    in_seconds = [(job, begin // SECOND, end // SECOND) for job, begin, end in allocations(made)]
    assert in_seconds == [(1, 0, 2), (1, 7, 15), (2, 2, 3), (2, 4, 7), (3, 3, 4)]
    assert made.jobs["preemptions"].to_list() == [1, 1, 0]
    assert made.frame()["wait_h"].to_list() == [5 / 3600, 1 / 3600, 0]
    assert made.metrics()["utilisation"] == 1.0


def test_what_a_policy_sees_of_jobs(drawn):
    few = drawn.first(300)
    assert sw.simulate(few, preemptive_policies.fcfs_that_sees).jobs.equals(sw.simulate(few, "fcfs").jobs)


def test_waiting_jobs_are_in_the_order_of_submission_with_those_suspended(drawn):
    seen = set()

    @sw.preemptive
    def looking(now, waiting, running, free):
        assert (waiting.position[1:] > waiting.position[:-1]).all()
        for job in waiting:
            assert (job.remaining < job.estimate) == job.suspended
            assert (job.started, job.expected_end, job.processors) == (None, None, None)
        assert waiting.remaining.tolist() == [job.remaining for job in waiting]
        seen.update(waiting.suspended.tolist())
        return preemptive_policies.shortest_remaining(now, waiting, running, free)

    sw.simulate(drawn.first(500), looking)
    assert seen == {True, False}


def test_a_job_is_resumed_on_the_processors_that_the_policy_names(drawn):
    few = drawn.first(60)
    made = sw.simulate(few, preemptive_policies.elsewhere)
    assert sw.check(few, made, replay=True).legal
    last = few.machine.processors - 1
    own = made.allocations.with_columns(rank=pl.int_range(pl.len()).over("job"))
    resumed = own.filter(pl.col("rank") > 0)["processor_ids"]
    assert len(resumed) > 0
    assert set(own.filter(pl.col("rank") == 0)["processor_ids"].list.min()) == {0}
    assert set(resumed.list.max()) == {last}


def test_naming_processors_changes_no_times(drawn):
    few = drawn.first(400)
    made = sw.simulate(few, preemptive_policies.placing_resumed_jobs)
    certificate = sw.check(few, made)
    assert certificate.legal, certificate.describe()
    assert made.jobs.equals(sw.simulate(few, preemptive_policies.shortest_remaining).jobs)
    assert made.allocations["processor_ids"].null_count() == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("suspending_the_waiting", r"it suspends job \d+, which has not started yet"),
        ("suspending_twice", r"it suspends job \d+, which is suspended already"),
        ("SuspendingTheEnded", r"it suspends job \d+, which has ended"),
        ("suspending_a_stranger", "it returned 1000000000; expected jobs"),
        ("suspending_nonsense", "it returned 'first'; expected jobs"),
        ("nonsense", r"it returned 'first'; expected jobs .* CallAgain\(seconds\), or Suspend if it is preemptive"),
        ("both_at_once", r"it suspends job \d+ and starts it in the same answer; resume it in a later call"),
        ("starting_twice", r"it starts job \d+, which has started already"),
        ("too_wide", r"processors, but [\d,]+ are free"),
        ("promising_the_suspended", r"it promises a start to job \d+, which was suspended after its start"),
        ("resting", "no job runs and it starts none in 100,000 calls, so these jobs would wait for ever: "),
        ("flickering", "100,000 times in a row it suspends a job within a second of its start"),
        ("giving_up", r"it raised ValueError: I give up \(line \d+ of .*preemptive_policies.py\)"),
        ("meddling", "a policy cannot change what it sees"),
        ("never", "no job runs and it starts none, so these jobs would wait for ever: "),
        ("unmarked", r"it suspends job \d+; write @slotwise.preemptive above it"),
    ],
)
def test_what_cannot_be_done_is_told_with_the_call_and_the_time(drawn, name, message):
    with pytest.raises(PolicyError, match=rf"^{name} \(.*\.py\), call [\d,]+ at [\d,.e+]+ s: .*{message}"):
        sw.simulate(drawn.first(80), getattr(preemptive_policies, name))


def test_it_is_not_called_in_a_standstill(drawn):
    periods = [(hour * HOUR, (hour + 5) * HOUR) for hour in range(3, 300, 24)]
    table = pl.DataFrame(periods, schema=STANDSTILLS_COLUMNS, orient="row")
    workload = replace(drawn.first(1000), companions={"standstills": table})
    made = sw.simulate(workload, preemptive_policies.shortest_remaining)
    certificate = sw.check(workload, made)
    assert certificate.legal, certificate.describe()
    assert made.digest != sw.simulate(drawn.first(1000), preemptive_policies.shortest_remaining).digest
    out = pl.DataFrame([(0, HOUR, 4)], schema=OUT_OF_USE_COLUMNS, orient="row")
    with pytest.raises(ParameterError, match="does not see processors out of use"):
        sw.simulate(replace(workload, companions={"out_of_use": out}), preemptive_policies.shortest_remaining)


def test_a_policy_is_found_by_its_file_and_replayed(drawn):
    few = drawn.first(300)
    policy = get_policy(f"{FILE}:RoundRobin")
    made = sw.simulate(few, policy)
    assert made.run["policy"]["name"] == "own_preemptive"
    assert made.run["policy"]["parameters"]["sha256"] == policy.sha256
    assert made.run["policy"]["title"] == "RoundRobin (preemptive_policies.py)"
    assert made.digest == sw.simulate(few, preemptive_policies.RoundRobin).digest
    assert replay_of(few, made).same


def test_a_run_is_written_read_and_checked(drawn, tmp_path):
    few = drawn.first(200)
    made = sw.simulate(few, f"{FILE}:shortest_remaining")
    run = read_run(made.write(tmp_path / "run"))
    assert (run.note["family"], run.schedules[0].digest) == ("preemptive", made.digest)
    assert [certificate.legal for certificate in check_run(run)] == [True]
    assert replay_of(few, run.schedules[0]).same


def test_promises_to_jobs_that_were_not_started_are_proved(drawn):
    few = drawn.first(300)
    certificate = sw.check(few, sw.simulate(few, as_preemptive("easy_with_promises")))
    [kept] = [finding for finding in certificate.findings if finding.rule == "no start delays a promise"]
    assert certificate.legal
    assert kept.checked > 0
    broken = sw.check(few, sw.simulate(few, as_preemptive("promising_too_much")))
    assert [finding.rule for finding in broken.findings if finding.violations] == ["no start delays a promise"]


def test_a_workload_without_jobs_and_jobs_wider_than_the_machine(drawn):
    none = sw.simulate(drawn.first(0), preemptive_policies.shortest_remaining)
    assert none.jobs.height == none.allocations.height == 0
    narrow = drawn.first(200).on_machine(16)
    made = sw.simulate(narrow, preemptive_policies.shortest_remaining)
    assert "rejected" in made.jobs["outcome"].cast(str).to_list()
    assert sw.check(narrow, made).legal


@pytest.mark.parametrize(
    "mark", [lambda one: sw.preemptive(numba.njit(one)), lambda one: numba.njit(sw.preemptive(one))]
)
def test_a_compiled_function_cannot_be_preemptive(drawn, mark):
    def first(now, waiting, running, free):
        return [waiting[0]]

    with pytest.raises(
        ParameterError, match="preemptive and moldable policies run in Python; remove numba's decorator"
    ):
        sw.simulate(drawn.first(20), mark(first))


def test_a_gantt_chart_draws_each_allocation_of_a_job(drawn):
    made = sw.simulate(drawn.first(60), preemptive_policies.shortest_remaining)
    shown = made.gantt().shown
    drawn_area = shown.group_by("job", "start_us", "finish_us").agg((pl.col("end") - pl.col("first")).sum())
    held = made.allocations.select("job", "begin_us", "end_us", pl.col("processors").cast(pl.Int64))
    assert sorted(drawn_area.rows()) == sorted(held.rows())
    assert made.jobs["preemptions"].sum() > 0
    both = shown.join(shown, how="cross").filter(pl.col("job") != pl.col("job_right"))
    meet = (pl.col("start_us") < pl.col("finish_us_right")) & (pl.col("start_us_right") < pl.col("finish_us"))
    assert both.filter(
        meet & (pl.col("first") < pl.col("end_right")) & (pl.col("first_right") < pl.col("end"))
    ).is_empty()
    assert "·" in made.gantt().text()
