"""Schedulers stepped from outside: fed one by one they do what they do at once, and they keep what they say.

Every policy of every family that can be stepped is tried, on the workloads drawn for its oracle.
"""

import dataclasses

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from scheduler_core import simulate
from scheduler_core.common.errors import ParameterError
from scheduler_core.common.sources import module_file
from scheduler_core.common.units import NEVER_US
from scheduler_core.declarations.policy import family_of, get_policy, policies
from scheduler_core.stepping.local_scheduler import Job, LocalScheduler, Request, local_scheduler
from tests.profiles import searching
from tests.scheduler_core.examples import Case, SeededChooser
from tests.scheduler_core.scenario import scenarios
from tests.scheduler_core.test_against_oracle import SUBJECTS

FAMILIES = sorted(
    family
    for family in {family_of(kind) for kind in policies().values()}
    if module_file(f"scheduler_core.{family}.local_scheduler") is not None
)
STEPPED = [name for name, kind in policies().items() if family_of(kind) in FAMILIES]
DRAWN = [name for name in SUBJECTS if name.split("-")[0] in FAMILIES]
END_US = NEVER_US - 1
S = 1_000_000
CEILINGS = ("user_jobs", "user_processor_h")

Times = dict[int, tuple[int, int]]


def jobs_of(case: Case) -> list[Job]:
    """Return the jobs that the machine of an example is large enough for."""
    columns = ["job", "submit_us", "runtime_us", "estimate_us", "size"]
    columns += ["class"] if "class" in case.workload.jobs.columns else []
    rows = case.workload.jobs.select(columns).rows()
    return [Job(*row) for row in rows if row[4] <= case.processors]


def at_once(case: Case) -> Times:
    """Return start and finish of the jobs of an example that is simulated."""
    rows = simulate(case.workload, case.policy).jobs.select("job", "start_us", "finish_us").rows()
    return {job: (start, finish) for job, start, finish in rows if start is not None}


def step(scheduler: LocalScheduler, until_us: int, found: Times) -> None:
    """Advance; enter what is done, which must be done by then and was not done before."""
    before = scheduler.now_us
    completions = scheduler.advance(until_us)
    assert scheduler.now_us == until_us
    assert [done.finish_us for done in completions] == sorted(done.finish_us for done in completions)
    for done in completions:
        assert done.job not in found
        assert before <= done.finish_us <= until_us
        found[done.job] = (done.start_us, done.finish_us)


def one_by_one(case: Case) -> Times:
    """Feed the jobs of an example as they come: each is given when all that is earlier has happened."""
    scheduler = local_scheduler(case.policy, case.processors)
    found: Times = {}
    for job in jobs_of(case):
        if job.submit_us > scheduler.now_us + 1:
            step(scheduler, job.submit_us - 1, found)
        scheduler.submit(job)
    step(scheduler, END_US, found)
    return found


def of_one_machine(case: Case) -> Case:
    """Return an example without what a scheduler of a grid does not know.

    These are standstills, closed hours, credits and rules for users.
    """
    jobs = [dataclasses.replace(job, credit=0) for job in case.jobs]
    values = {**case.policy.values(), **{name: "all" for name in CEILINGS if hasattr(case.policy, name)}}
    values = {name: "largest_slowdown" if value == "fair_share" else value for name, value in values.items()}
    return dataclasses.replace(
        case, jobs=jobs, policy=type(case.policy).build(values), standstills=(), closed=(), out_of_use=()
    )


def test_every_policy_that_can_be_stepped_is_drawn() -> None:
    drawn = {SUBJECTS[name].draw(SeededChooser(seed), False).policy.name for name in DRAWN for seed in range(3)}
    assert drawn == set(STEPPED)


@pytest.mark.parametrize("name", DRAWN)
@searching(60)
@given(data=st.data())
def test_jobs_fed_one_by_one_make_the_schedule_of_all_at_once(name: str, data: st.DataObject) -> None:
    case = of_one_machine(data.draw(SUBJECTS[name].strategy))
    note(f"{case.processors} processors, {case.policy!r}")
    assert one_by_one(case) == at_once(case)


@pytest.mark.parametrize("name", DRAWN)
@searching(60)
@given(data=st.data(), steps=st.lists(st.integers(0, 40_000_000), max_size=12))
def test_any_steps_and_any_order_of_giving_jobs_make_the_same_schedule(
    name: str, data: st.DataObject, steps: list[int]
) -> None:
    case = of_one_machine(data.draw(SUBJECTS[name].strategy))
    scheduler = local_scheduler(case.policy, case.processors)
    found: Times = {}
    for job in data.draw(st.permutations(jobs_of(case))):
        scheduler.submit(job)
    for length in steps:
        step(scheduler, scheduler.now_us + length, found)
    step(scheduler, END_US, found)
    assert found == at_once(case)


WORKED = [
    (family, name, call) for family in FAMILIES for name, worked in scenarios(family).items() for call in worked.calls
]


@pytest.mark.parametrize(("family", "name", "call"), WORKED)
def test_scenarios_worked_by_hand_may_be_fed_one_by_one(family: str, name: str, call: str) -> None:
    case = of_one_machine(scenarios(family)[name].case(call))
    assert one_by_one(case) == at_once(case)


@pytest.mark.parametrize("call", ["easy(user_jobs=2)", "fcfs(user_processor_h=1.0)", "easy_fair_share"])
def test_rules_for_users_are_refused_as_a_grid_knows_no_users(call: str) -> None:
    with pytest.raises(ParameterError, match="have no users, so ceilings of users and fair share cannot be kept"):
        local_scheduler(get_policy(call), 4)


def request_of(job: Job) -> Request:
    """Ask for what a job asks for."""
    return Request(job.size, job.estimate_us, job.job_class)


@pytest.mark.parametrize("name", DRAWN)
@searching(60)
@given(data=st.data())
def test_what_is_predicted_and_promised_is_kept(name: str, data: st.DataObject) -> None:
    """Each job is predicted, then submitted, when all has happened up to its submission; predicting changes nothing."""
    case = of_one_machine(data.draw(SUBJECTS[name].strategy))
    note(f"{case.processors} processors, {case.policy!r}")
    scheduler, twin = (local_scheduler(case.policy, case.processors) for _ in range(2))
    found: Times = {}
    unpredicted: Times = {}
    predicted = {}
    for job in jobs_of(case):
        step(scheduler, job.submit_us, found)
        predicted[job.job] = scheduler.predict(request_of(job), job.submit_us)
        scheduler.predict(request_of(job), job.submit_us + data.draw(st.integers(0, 5_000_000)))
        scheduler.submit(job)
        step(twin, job.submit_us, unpredicted)
        twin.submit(job)
    step(scheduler, END_US, found)
    step(twin, END_US, unpredicted)
    assert found == unpredicted
    for number, prediction in predicted.items():
        if prediction is not None and prediction.bound:
            assert found[number][0] <= prediction.start_us
            assert found[number][1] <= prediction.finish_us


def test_policies_that_keep_predictions_say_so() -> None:
    """In an empty machine a job starts at once; whether that is a promise is up to the policy."""
    bounds = {}
    for call in ("fcfs", "conservative", "list", 'list(order="fcfs")', "easy", "priority", "pect", "pect_o"):
        predicted = local_scheduler(get_policy(call), 4).predict(Request(4, 10 * S), 0)
        assert predicted is not None
        bounds[call] = predicted.bound
    assert {call for call, bound in bounds.items() if bound} == {"fcfs", "conservative", 'list(order="fcfs")', "pect"}


@pytest.mark.parametrize("name", [name for name in DRAWN if name.startswith("space_sharing")])
@searching(60)
@given(data=st.data())
def test_with_exact_estimates_the_last_job_does_as_predicted(name: str, data: st.DataObject) -> None:
    """Jobs that are submitted later than the prediction is made are not known to it, though they may be given."""
    case = of_one_machine(data.draw(SUBJECTS[name].strategy))
    note(f"{case.processors} processors, {case.policy!r}")
    jobs = [Job(j.job, j.submit_us, j.estimate_us, j.estimate_us, j.size) for j in jobs_of(case)]
    scheduler = local_scheduler(case.policy, case.processors)
    at = data.draw(st.integers(0, jobs[-1].submit_us + 1 if jobs else 0))
    for job in jobs:
        if job.submit_us <= at:
            scheduler.submit(job)
    last = at + data.draw(st.integers(0, 5_000_000))
    scheduler.advance(at)
    request = Request(data.draw(st.integers(1, case.processors)), data.draw(st.integers(1, 9)) * 1_000_000)
    predicted = scheduler.predict(request, last)
    scheduler.submit(Job(999, last, request.estimate_us, request.estimate_us, request.processors))
    done = {done.job: (done.start_us, done.finish_us) for done in scheduler.advance(END_US)}
    assert predicted is not None
    assert done[999] == (predicted.start_us, predicted.finish_us)


def test_what_cannot_be_is_refused() -> None:
    scheduler = local_scheduler(get_policy("easy"), 4)
    scheduler.advance(10)
    with pytest.raises(ParameterError, match="job 3: submitted at 9 us, when the scheduler is at 10 us already"):
        scheduler.submit(Job(3, 9, 1, 1, 1))
    with pytest.raises(ParameterError, match="job 3: expected 1 to 4 processors; found 5"):
        scheduler.submit(Job(3, 10, 1, 1, 5))
    with pytest.raises(ParameterError, match="run time and estimate must be positive; found 0 and 1 us"):
        scheduler.submit(Job(3, 10, 0, 1, 1))
    with pytest.raises(ParameterError, match="expected a time from 10 us on"):
        scheduler.advance(9)
    assert scheduler.predict(Request(5, 1), 0) is None
    with pytest.raises(ParameterError, match="gang: schedulers of the family 'gang' cannot be stepped"):
        local_scheduler(get_policy("gang"), 4)
