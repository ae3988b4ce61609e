"""What is drawn for space sharing: small workloads full of ties, and policies with any parameters they allow."""

import dataclasses
import functools
import itertools
from typing import Any

from hypothesis import strategies as st

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.policy import Policy, policies
from tests.oracles.job import Job
from tests.oracles.space_sharing.oracle import Schedule
from tests.scheduler_core.examples import Case, Chooser, HypothesisChooser, drawn_numbers
from tests.scheduler_core.space_sharing.ways import WAYS
from tests.scheduler_core.subjects import DEFAULT, Subject

STEPS_S = (0.0, 1e-6, 2e-6, 5e-6, 1.0, 2.0, 2.5, 5.0, 12.0)


def draw_jobs(choose: Chooser, processors: int, most: int, exact: bool = False) -> list[Job]:
    """Draw up to ``most`` jobs, some of them perhaps too large for the machine.

    Gaps, run times and estimates are a few ticks of a microsecond or a second, so that ties abound.
    With ``exact`` every estimate is the run time.
    """
    tick = choose.one_of((1_000_000, 1))
    longest, gap = choose.one_of(((3, 1), (10, 2), (30, 4)))
    widest = processors + choose.integer(0, 1)
    jobs, now = [], 0
    for number in drawn_numbers(choose, choose.integer(1, most)):
        now += choose.integer(0, gap) * tick
        runtime, estimate = choose.integer(1, longest) * tick, choose.integer(1, longest) * tick
        jobs.append(Job(number, now, runtime, runtime if exact else estimate, choose.integer(1, widest)))
    return sorted(jobs, key=lambda job: job.position)


@st.composite
def workloads(draw: st.DrawFn, most: int = 25, exact: bool = False) -> tuple[list[Job], int]:
    """Draw jobs and the processors of their machine."""
    choose = HypothesisChooser(draw)
    processors = choose.integer(1, 16)
    return draw_jobs(choose, processors, most, exact), processors


def values_of(entry: dict[str, Any]) -> list[list[Any]]:
    """List values of a parameter by what its policy says of it: any word, a small number, yes or no."""
    kinds, least = entry["type"].split(" or "), entry["minimum"]
    ways: list[list[Any]] = [list(entry["choices"])] if entry["choices"] else []
    if "bool" in kinds:
        ways.append([False, True])
    if "int" in kinds:
        ways += [[entry["default"]], list(range(least, least + 4))]
    if "float" in kinds:
        ways += [[least + step for step in STEPS_S], [entry["default"]]]
    return ways


def draw_policy(choose: Chooser, kind: type[Policy]) -> Policy:
    """Draw a policy of one kind; parameters that do not go together are drawn again as their defaults."""
    values = {entry["name"]: choose.one_of(choose.one_of(values_of(entry))) for entry in kind.describe_parameters()}
    if "user_jobs" in values:
        values |= draw_ceilings(choose)
    if "half_life_h" in values:
        values |= draw_fair_share(choose)
    while True:
        try:
            return kind.build(values)
        except ParameterError:
            values.pop(choose.one_of(sorted(values)))


def draw_ceilings(choose: Chooser) -> dict[str, Any]:
    """Draw ceilings of users, of processor time in ticks of a second or a microsecond as the jobs have them; often none."""
    if choose.integer(0, 1) == 0:
        return {"user_jobs": "all", "user_processor_h": "all"}
    ticks = choose.integer(0, 60) * choose.one_of((1_000_000, 1))
    hours = choose.one_of(("all", ticks / 3_600_000_000))
    return {"user_jobs": choose.one_of(("all", 1, 2, 3)), "user_processor_h": hours}


def draw_fair_share(choose: Chooser) -> dict[str, Any]:
    """Draw the parameters of fair share: windows as long as some jobs, and a weight as long as some gaps or far longer."""
    ticks = choose.integer(0, 60) * choose.one_of((1_000_000, 1))
    return {
        "half_life_h": choose.integer(4, 30) / 3600,
        "usage_weight_h": choose.one_of((ticks / 3_600_000_000, 168.0)),
    }


def draw_case(choose: Chooser, large: bool, kind: type[Policy]) -> Case:
    """Draw an example: up to 25 jobs on up to 16 processors, or ``large``: up to 100 on some more than that.

    In some of them jobs are credited with waiting time, there are standstills or closed hours, processors are out of
    use, or users have ceilings or a fair share.
    """
    processors = choose.one_of((63, 64, 65, 130)) if large else choose.integer(1, 16)
    jobs = draw_jobs(choose, processors, 100 if large else 25)
    if choose.integer(0, 2) == 0:
        jobs = [dataclasses.replace(job, credit=choose.one_of((0, 0, 1, -2, 1_000_000, -3_000_000))) for job in jobs]
    standstills = draw_standstills(choose, jobs[-1].submit) if choose.integer(0, 2) == 0 else ()
    policy = draw_policy(choose, kind)
    ceilings = {getattr(policy, name, "all") for name in ("user_jobs", "user_processor_h")} != {"all"}
    if ceilings or has_fair_share(policy):
        users = (1, 1, 2, 3, None)
        jobs = [dataclasses.replace(job, user=choose.one_of(users) if k else 1) for k, job in enumerate(jobs)]
    closed: list[tuple[int, int, int, int]] = []
    if choose.integer(0, 2) == 0:
        jobs = [
            dataclasses.replace(job, queue=choose.one_of((1, 2, 3, None)) if k else 1) for k, job in enumerate(jobs)
        ]
        whom = {(choose.one_of((-1, 1, 2, 4)), choose.one_of((0, 0, choose.one_of(jobs).estimate))) for _ in range(3)}
        closed = [(*key, *one) for key in sorted(whom) for one in draw_standstills(choose, jobs[-1].submit)]
    out_of_use: tuple[tuple[int, int, int], ...] = ()
    if choose.integer(0, 2) == 0:
        periods = draw_standstills(choose, jobs[-1].submit)
        out_of_use = tuple((*period, choose.integer(1, max(processors // 2, 1))) for period in periods)
    return Case(jobs, processors, policy, standstills=standstills, closed=tuple(closed), out_of_use=out_of_use)


def has_fair_share(policy: Policy) -> bool:
    """Tell whether an order of a policy is fair share."""
    return "fair_share" in (getattr(policy, "order", ""), getattr(policy, "backfill_order", ""))


def draw_standstills(choose: Chooser, last: int) -> tuple[tuple[int, int], ...]:
    """Draw up to three standstills, some of them one after another, up to some time after the last submission."""
    tick = choose.one_of((1_000_000, 1))
    now, found = 0, []
    for _ in range(choose.integer(1, 3)):
        begin = now + choose.integer(0, max(last // tick, 1)) * tick
        now = begin + choose.integer(1, 10) * tick
        found.append((begin, now))
    return tuple(found)


def overtaken(case: Case, found: Schedule) -> bool:
    """Tell whether a job started before one submitted earlier."""
    ran = [(job.submit, times[0]) for job in case.jobs if (times := found[job.job]) is not None]
    return any(a[0] < b[0] and a[1] > b[1] for a, b in itertools.combinations(ran, 2))


def comes_as_another_goes(case: Case, found: Schedule) -> bool:
    """Tell whether a job was submitted at the instant at which another ended."""
    return bool({job.submit for job in case.jobs} & {times[1] for times in found.values() if times is not None})


def starts_after_a_standstill(case: Case, found: Schedule) -> bool:
    """Tell whether a job that was submitted in a standstill or before starts at its end."""
    ends = {end: begin for begin, end in case.standstills}
    return any(times is not None and times[0] in ends for times in found.values())


def starts_as_its_queue_opens(case: Case, found: Schedule) -> bool:
    """Tell whether a job starts when closed hours of its queue end, and a job of another queue started in them."""
    ran = {job: times[0] for job in case.jobs if (times := found[job.job]) is not None}
    return any(
        (job.queue, start) == (queue, end) and job.submit < end
        for queue, _, begin, end in case.closed
        if any(other.queue != queue and begin <= at < end for other, at in ran.items())
        for job, start in ran.items()
    )


def starts_as_long_jobs_may(case: Case, found: Schedule) -> bool:
    """Tell whether a job starts when hours end that are closed to jobs over a limit, and a shorter one started in them."""
    ran = {job: times[0] for job in case.jobs if (times := found[job.job]) is not None}
    return any(
        job.estimate > limit and start == end and job.submit < end
        for _, limit, begin, end in case.closed
        if any(other.estimate <= limit and begin <= at < end for other, at in ran.items())
        for job, start in ran.items()
    )


def starts_as_processors_come_back(case: Case, found: Schedule) -> bool:
    """Tell whether a job that waits starts when processors come back into use, and no other job ends then."""
    ran = {job: times for job in case.jobs if (times := found[job.job]) is not None}
    back = {end for _, end, _ in case.out_of_use} - {finish for _, finish in ran.values()}
    return any(job.submit < start and start in back for job, (start, _) in ran.items())


def passes_by_credit(case: Case, found: Schedule) -> bool:
    """Tell whether a job started before one that was submitted earlier and has less credit, though it is as wide and as long."""
    return any(
        a.credit > b.credit and a.submit > b.submit and (a.size, a.estimate) == (b.size, b.estimate)
        for a, b in itertools.permutations(case.jobs, 2)
        if found[a.job] and found[b.job] and found[a.job][0] < found[b.job][0]
    )


def waits_at_a_ceiling(case: Case, found: Schedule) -> bool:
    """Tell whether a job waits while as many jobs of its user run as may, and starts when one of them ends."""
    ran = {job: times for job in case.jobs if (times := found[job.job]) is not None and job.user is not None}
    return any(
        job.submit < start == end
        and sum(other.user == job.user and a < start <= b for other, (a, b) in ran.items()) == case.policy.user_jobs
        for job, (start, _) in ran.items()
        for end in {b for other, (_, b) in ran.items() if other.user == job.user}
    )


def starts_as_time_runs_down(case: Case, found: Schedule) -> bool:
    """Tell whether a job starts at an instant at which no job is submitted or ends, beside others of its user."""
    happens = {job.submit for job in case.jobs} | {times[1] for times in found.values() if times is not None}
    happens |= {end for _, end in case.standstills} | {time for _, _, *times in case.closed for time in times}
    happens |= {time for *times, _ in case.out_of_use for time in times}
    ran = {job: times for job in case.jobs if (times := found[job.job]) is not None and job.user is not None}
    return case.policy.user_processor_h != "all" and any(
        start not in happens and any(other.user == job.user and a < start < b for other, (a, b) in ran.items())
        for job, (start, _) in ran.items()
    )


def passes_by_share(case: Case, found: Schedule) -> bool:
    """Tell whether fair share alone lets a job start before one of another user that was submitted earlier."""
    return has_fair_share(case.policy) and any(
        a.user != b.user and a.submit > b.submit and (a.size, a.estimate, a.credit) == (b.size, b.estimate, b.credit)
        for a, b in itertools.permutations(case.jobs, 2)
        if found[a.job] and found[b.job] and found[a.job][0] < found[b.job][0]
    )


FEATURES = {
    "rejected": lambda case, found: None in found.values(),
    "killed": lambda case, found: any(job.runtime > job.estimate for job in case.jobs),
    "waits": lambda case, found: any((times := found[job.job]) and times[0] > job.submit for job in case.jobs),
    "submitted together": lambda case, found: len({job.submit for job in case.jobs}) < len(case.jobs),
    "comes as another goes": comes_as_another_goes,
    "overtaken": overtaken,
    "starts after a standstill": starts_after_a_standstill,
    "starts as its queue opens": starts_as_its_queue_opens,
    "starts as hours end that are closed to long jobs": starts_as_long_jobs_may,
    "starts as processors come back": starts_as_processors_come_back,
    "passes by credit": passes_by_credit,
    "waits at a ceiling": waits_at_a_ceiling,
    "starts as time runs down": starts_as_time_runs_down,
    "passes by share": passes_by_share,
}
"""What can happen, by name."""


def another(entry: dict[str, Any]) -> Any:
    """Return how to change a parameter: to another word, from yes to no, or to its default."""
    words = entry["choices"] or ((False, True) if entry["type"] == "bool" else ())
    return (lambda value: next(word for word in words if word != value)) if len(words) > 1 else DEFAULT


def subject(kind: type[Policy]) -> Subject:
    """Return what is drawn for a policy."""
    never = [] if kind.fixed.get("order", "fcfs") == "fcfs" else ["passes by credit"]
    never += [] if hasattr(kind, "user_jobs") else ["waits at a ceiling", "starts as time runs down"]
    never += [] if hasattr(kind, "half_life_h") else ["passes by share"]
    shown = {name: feature for name, feature in FEATURES.items() if name not in never}
    decides = {entry["name"]: another(entry) for entry in kind.describe_parameters()}
    return Subject(WAYS, functools.partial(draw_case, kind=kind), shown, decides, seeds=1200)


SUBJECTS = {name: subject(kind) for name, kind in policies().items() if ".space_sharing." in kind.__module__}
"""The policies of space sharing, by name."""
