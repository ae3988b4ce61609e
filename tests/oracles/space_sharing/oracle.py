"""The space-sharing family once more, slow and plain: what every policy of it must do, job by job.

Written from the docstrings of the policies alone, by another route than the engine's: jobs in sets and
dictionaries, Python integers, and everything (free processors, orders, shadow times, the plan) worked out
from scratch in each pass.
"""

from collections.abc import Callable, Sequence

from scheduler_core.common.units import seconds_to_us
from scheduler_core.declarations.policy import Policy
from tests.oracles.job import Job
from tests.oracles.space_sharing.easy import SeveralReservationsPass, SingleReservationPass, reserve
from tests.oracles.space_sharing.plan import ConservativePass
from tests.oracles.space_sharing.state import Pass, State, start_heads

__all__ = ["Job", "Schedule", "schedule"]

Schedule = dict[int, "tuple[int, int] | None"]
"""Job number -> (start, finish), or None for a job that was rejected."""


class FcfsPass(Pass):
    """First come, first served."""

    def __call__(self, state: State) -> None:
        """Start the head while it fits."""
        start_heads(state, state.ordered(state.queue, "fcfs"))


class ListPass(Pass):
    """List scheduling."""

    def __call__(self, state: State) -> None:
        """Start the head while it fits; then, with ``skip``, every job that fits."""
        rest = start_heads(state, state.ordered(state.queue, self.policy.order))
        if self.policy.when_blocked == "skip":
            for job in rest:
                if state.fits(job):
                    state.start(job)


class PriorityPass(Pass):
    """Priority classes with aging, then EASY with its defaults."""

    def __call__(self, state: State) -> None:
        """Order the queue by level once; then the three steps."""
        age = self.aging_time(state)
        rest = sorted(state.queue, key=lambda job: (-self.level(job, state.now, age), job.position))
        rest = start_heads(state, rest)
        if not rest:
            return
        reservation = reserve(state, rest[0], set(), ties_are_extra=True)
        for job in rest[1:]:
            by_shadow = state.now + job.estimate <= reservation.shadow
            if state.fits(job) and (by_shadow or job.size <= reservation.extra):
                state.start(job)
                reservation.extra -= 0 if by_shadow else job.size

    def aging_time(self, state: State) -> int | None:
        """Return the time a job must wait to rise by a level, None when waiting does not count."""
        if self.policy.aging == "off":
            return None
        if self.policy.aging == "fixed":
            return seconds_to_us(self.policy.aging_fixed_s)
        waits = [start - job.submit for job, start in state.started.items()]
        mean = sum(waits) // len(waits) if waits else 0
        return max(mean, seconds_to_us(self.policy.aging_min_s))

    def level(self, job: Job, now: int, age: int | None) -> int:
        """Return the job's level: 2 short, 1 medium, 0 long, and a level more for each aging time waited."""
        limits = (self.policy.short_limit_s, self.policy.medium_limit_s)
        level = sum(job.estimate <= seconds_to_us(limit) for limit in limits)
        return level if age is None else min(2, level + (now - job.submit) // age)


def easy_pass(policy: Policy) -> Pass:
    """Choose between the two forms of EASY's pass."""
    return SingleReservationPass(policy) if policy.reservations == 1 else SeveralReservationsPass(policy)


PASSES: dict[str, Callable[[Policy], Pass]] = {
    "fcfs": FcfsPass,
    "list": ListPass,
    "easy": easy_pass,
    "conservative": ConservativePass,
    "priority": PriorityPass,
}
"""How each policy of the family makes a pass, by the policy's name."""


Standstills = Sequence[tuple[int, int]]
"""Begin and end of each period in which no job may start."""

OutOfUse = Sequence[tuple[int, int, int]]
"""Begin and end of each period in which a part of the machine is out of use, and the processors of that part."""


def schedule(
    policy: Policy,
    jobs: list[Job],
    processors: int,
    standstills: Standstills = (),
    closed: Sequence[tuple[int, int, int, int]] = (),
    out_of_use: OutOfUse = (),
) -> Schedule:
    """Run a policy of the space-sharing family on jobs.

    ``closed`` has the closed hours: queue (-1: every queue), limit, begin, end.
    Returns start and finish by job number, in microseconds; None for a job larger than what can be used from its submission on.
    """
    make_pass = PASSES[policy.name](policy)
    ceilings = (getattr(policy, name, "all") for name in ("user_jobs", "user_processor_h"))
    state = State(processors, *(None if ceiling == "all" else ceiling for ceiling in ceilings))
    state.half_life, state.weight = (
        seconds_to_us(3600 * getattr(policy, name, 0)) for name in ("half_life_h", "usage_weight_h")
    )
    state.closed = closed
    coming = {job for job in jobs if all(job.size <= processors - out for out in outs_from(job.submit, out_of_use))}
    while instants := [
        *(job.submit for job in coming),
        *(start + job.stay for job, start in state.running.items()),
        *make_pass.alarms(state),
        *state.releases(),
        *state.boundaries(),
        *ends_of(state, standstills),
        *(time for begin, end, _ in out_of_use for time in (begin, end) if time > state.now),
    ]:
        state.now = min(instants)
        state.processors = processors - sum(out for begin, end, out in out_of_use if begin <= state.now < end)
        if any(state.now in period[:2] for period in out_of_use):
            make_pass.forget()
        live_through(state, coming, make_pass, standstills)
    return {job.job: times_of(state, job) for job in jobs}


def times_of(state: State, job: Job) -> tuple[int, int] | None:
    """Return a job's start and finish, or None when it never started."""
    start = state.started.get(job)
    return None if start is None else (start, start + job.stay)


def outs_from(time: int, out_of_use: OutOfUse) -> list[int]:
    """Return how many processors are out of use at times from a given one on."""
    return [0, *(out for _, end, out in out_of_use if end > time)]


def ends_of(state: State, standstills: Standstills) -> list[int]:
    """Return the end of the standstill that lasts now, if any does."""
    return [end for begin, end in standstills if begin <= state.now < end]


def live_through(state: State, coming: set[Job], make_pass: Pass, standstills: Standstills) -> None:
    """Take everything that happens at the instant ``state.now``, with the passes in between; none in a standstill."""
    still = bool(ends_of(state, standstills))
    leaving = {job for job, start in state.running.items() if start + job.stay == state.now}
    arrivals = sorted((job for job in coming if job.submit == state.now), key=lambda job: job.position)
    coming.difference_update(arrivals)
    if make_pass.tied_completions == "start":
        leaves = [job for job in state.started if job in leaving]  # dictionaries remember in which order jobs started
    else:
        leaves = sorted(leaving, key=lambda job: job.position)
    completions = [(state.end, job) for job in leaves]
    submissions = [(state.queue.add, job) for job in arrivals]
    submissions_first = make_pass.instant == "submissions_first"
    events = submissions + completions if submissions_first else completions + submissions
    for happen, job in events:
        happen(job)
        if make_pass.instant != "batch" and not still:
            make_pass(state)
            state.just_ended.clear()
    if still:
        make_pass.forget()
    elif make_pass.instant == "batch" or not events:
        make_pass(state)
    state.just_ended.clear()
