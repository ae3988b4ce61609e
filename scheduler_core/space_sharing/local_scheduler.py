"""Space sharing stepped from outside: jobs come while the machine runs, and tasks are booked.

While a booking holds processors, a job starts only if its estimate leaves the hold its processors; the policies are otherwise
unchanged. :mod:`scheduler_core.space_sharing.bookings` specifies what bookings do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import NEVER_US
from scheduler_core.kernel.jit import Direct
from scheduler_core.kernel.tables import dedicated_allocations
from scheduler_core.space_sharing import bookings, predicted, stepped_loop
from scheduler_core.space_sharing import stepped_state as state
from scheduler_core.space_sharing.engine import counters_of
from scheduler_core.space_sharing.policies.easy import Easy
from scheduler_core.space_sharing.predicted import Newcomer
from scheduler_core.space_sharing.rules import Backfill, setup_of
from scheduler_core.stepping import checks
from scheduler_core.stepping import local_scheduler as stepping

if TYPE_CHECKING:
    from scheduler_core.space_sharing.policy import SpaceSharingPolicy

FIRST_ROOM = 256
"""Room for jobs, bookings and slides at first; it doubles when it is used up."""

copy_with = Direct(predicted.copy_with)
earliest_in_plan = Direct(predicted.earliest_in_plan)
first_completion = Direct(stepped_loop.first_completion)
go_on = Direct(stepped_loop.go_on)
hold_at = Direct(bookings.hold_at)


class Local:
    """One machine under a policy of space sharing, where bookings only slide up."""

    def __init__(self, policy: SpaceSharingPolicy, processors: int, rules: stepping.BookingRules | None = None) -> None:
        if rules is not None and (rules.slide_down_backfill or rules.slide_down_avoid_preemption):
            raise ParameterError(f"{policy.name}: bookings slide down only where classes of jobs take turns")
        self.policy = policy
        self.processors = processors
        self.setup = setup_of({**policy.fixed, **policy.values()})
        if self.setup.rules.limits_users or self.setup.shares:
            raise ParameterError(
                f"{policy.name}: jobs of a grid have no users, so ceilings of users and fair share cannot be kept; leave them out"
            )
        self.keeps_predictions = self.setup.keeps_predictions
        self.is_conservative = self.setup.rules.backfill == Backfill.conservative
        self.books = self.is_conservative or policy == Easy()
        self.blocks = state.new_blocks(FIRST_ROOM, processors, self.setup)
        self.believed = state.new_blocks(FIRST_ROOM, processors, self.setup)
        self.tasks = state.new_tasks(FIRST_ROOM)
        self.look()
        self.step["at"] = stepping.BEFORE_US
        self.nothing = state.new_tasks(1)
        self.reported = np.zeros(FIRST_ROOM, np.bool_)
        self.unreported = np.zeros(0, np.int64)
        self.looked_at = 0
        self.bookings: dict[int, int] = {}

    @property
    def now_us(self) -> int:
        """The time up to which everything has happened."""
        return int(self.step["at"])

    def submit(self, job: stepping.Job, *, followed: bool = False) -> None:
        """Give the scheduler a job."""
        checks.check_job(job, self.processors, self.now_us)
        self.make_room(1)
        run = min(job.runtime_us, job.estimate_us)
        key, candidate_key = self.keys(np.array([job.estimate_us]), np.array([job.size], np.int32))
        tested = self.tested(run, job.estimate_us)
        given = job.job, job.submit_us, run, job.estimate_us, tested, job.size, key[0], candidate_key[0], followed
        first, last = int(self.step["taken"]), int(self.step["given"])
        place = checks.place_among(self.coming, first, last, job)
        self.coming[place + 1 : last + 1] = self.coming[place:last]
        self.coming[place] = given
        self.step["given"] += 1
        self.step["to_follow"] += followed

    def submit_many(self, jobs: pl.DataFrame) -> None:
        """Submit many jobs at once."""
        checks.check_jobs(jobs, self.processors, self.now_us)
        names = ("job", "submit_us", "runtime_us", "estimate_us", "size")
        number, submit, runtime, estimate, size = (jobs[name].to_numpy() for name in names)
        self.make_room(len(jobs))
        run = np.minimum(runtime, estimate)
        first, last = int(self.step["taken"]), int(self.step["given"])
        new = np.zeros(len(jobs), state.COMING)
        new["job"], new["submit"], new["run"], new["estimate"], new["processors"] = number, submit, run, estimate, size
        new["tested"] = run if self.setup.tests_run_times else estimate
        new["key"], new["candidate_key"] = self.keys(estimate, size)
        merged = np.concatenate([self.coming[first:last], new])
        self.step["given"] = first + len(merged)
        self.coming[first : first + len(merged)] = merged[np.lexsort((merged["job"], merged["submit"]))]

    def look(self) -> None:
        """Name what Python reads of the machine."""
        self.coming, self.booked, self.done, steps = (
            state.plain(table) for table in (self.tasks.coming, self.tasks.booked, self.tasks.done, self.tasks.step)
        )
        self.step = steps[0]
        self.clock = state.plain(self.blocks.clock)[0]
        self.machine = state.named(self.blocks)
        self.believed_start = state.named(self.believed).world.start

    def keys(self, estimate: np.ndarray, size: np.ndarray) -> list[np.ndarray]:
        """Return the keys of jobs in the queue and among the candidates, where these are kept by fixed keys."""
        return [order.keys(estimate, size) for order in (self.setup.order, self.setup.backfill_order)]

    def tested(self, run_us: int, estimate_us: int) -> int:
        """Return the time that a plan counts on, or a candidate's end is computed from."""
        return run_us if self.setup.tests_run_times else estimate_us

    def make_room(self, jobs: int) -> None:
        """Make room for so many more jobs, bookings."""
        step, room = self.step, self.blocks.room
        given = int(step["given"]) + jobs
        needed = int(step["known"] + step["bookings"]) + given - int(step["taken"]) + 2
        if needed > room or given > len(self.tasks.coming):
            larger = max(needed, given, 2 * room)
            self.blocks = state.enlarged_blocks(self.blocks, larger, self.processors, self.setup)
            self.believed = state.enlarged_blocks(self.believed, larger, self.processors, self.setup)
            self.tasks = state.enlarged_tasks(self.tasks, larger, max(larger, len(self.tasks.slides)))
            self.look()
            self.reported = np.concatenate([self.reported, np.zeros(larger - room, np.bool_)])

    def advance(self, until_us: int) -> list[stepping.Completion]:
        """Let everything happen that happens up to a time, that time included."""
        checks.check_time(until_us, self.now_us)
        self.go_on(until_us, False)
        known, world = int(self.step["known"]), self.machine.world
        places = np.concatenate([self.unreported, np.arange(self.looked_at, known)])
        self.looked_at = known
        start = world.start[places]
        finish = start + world.jobs.run[places]
        done, reported = (start >= 0) & (finish <= until_us), self.reported[places]
        self.unreported = places[~done & ~reported]
        in_order = np.lexsort((places, finish))
        return self.completions(places[in_order][(done & ~reported)[in_order]])

    def completions(self, places: np.ndarray) -> list[stepping.Completion]:
        """Return the completions of jobs by their positions."""
        start = self.machine.world.start[places]
        columns = self.machine.number[places], start, start + self.machine.world.jobs.run[places]
        return [stepping.Completion(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]

    def advance_to_completion(self, until_us: int) -> list[stepping.Completion]:
        """Let everything happen up to a time, or to the first completion of a followed job."""
        checks.check_time(until_us, self.now_us)
        self.go_on(until_us, True)
        count = int(self.step["done"])
        if count == 0:
            return []
        done = self.done[:count]
        places = done["place"][np.argsort(done["joined"])]
        self.reported[places] = True
        return self.completions(places)

    def go_on(self, until_us: int, to_completion: bool) -> None:
        """Let the machine go on, with room for all that slides."""
        while (ends := go_on(self.blocks, self.tasks, until_us, to_completion, -1)) != state.CAME_SO_FAR:
            if ends == state.NEEDS_HOLD:
                self.hold(int(self.step["unplaced"]), state.NOT_READY)
            else:
                self.make_room_for_slides()

    def make_room_for_slides(self) -> None:
        """Double the room for slides."""
        self.tasks = state.enlarged_tasks(self.tasks, len(self.tasks.coming), 2 * len(self.tasks.slides))

    def no_completion_before(self) -> int:
        """Return a time before which no followed job is done."""
        return int(first_completion(self.blocks, self.tasks))

    def predict(self, request: stepping.Request, earliest_us: int) -> stepping.Prediction | None:
        """Return when a job would start and finish: by the plan, or if every job ran for its estimate and no other came.

        It is a bound for a job that comes next if the policy keeps its predictions and, except under conservative backfilling,
        nothing is held. Jobs that were submitted but not considered yet are unknown.
        """
        if not 1 <= request.processors <= self.processors:
            return None
        now, length = self.now_us, request.estimate_us
        at = max(now, earliest_us, 0)
        key, candidate_key = 0, 0
        if self.setup.order.key is not None or self.setup.backfill_order.key is not None:
            keys = self.keys(np.array([length]), np.array([request.processors], np.int32))
            key, candidate_key = (int(one[0]) for one in keys)
        start = self.place(at, request.processors, length, key, candidate_key)
        free = self.is_conservative or not self.step["waiting"]
        bound = self.keeps_predictions and free and at == max(now, 0) and not self.is_due(at)
        return stepping.Prediction(int(start), int(start) + length, bound)

    def place(self, at: int, size: int, length: int, key: int = 0, candidate_key: int = 0) -> int:
        """Return when a job that comes at a time, behind all others, would start."""
        if self.is_conservative:
            return int(earliest_in_plan(at, size, length, self.blocks))
        new = copy_with(Newcomer(at, size, length, key, candidate_key), self.blocks, self.believed, self.tasks)
        go_on(self.believed, self.nothing, NEVER_US - 1, False, new)
        return int(self.believed_start[new])

    def is_due(self, at: int) -> bool:
        """Return whether something happens at a time before a job submitted then is considered."""
        step, clock = self.step, self.clock
        comes = step["taken"] < step["given"] and self.coming["submit"][step["taken"]] <= at
        return bool(comes or step["called"] or clock["given"] or clock["due"] <= at)

    def book(self, job: stepping.Job, booking: stepping.Booking) -> stepping.Prediction | None:
        """Book a job: it gets a hold."""
        checks.check_booking(job, self.processors, self.now_us)
        if not self.books:
            raise ParameterError(
                f"{self.policy.name}: among policies of space sharing only conservative backfilling, and easy with its defaults, "
                "take bookings"
            )
        self.make_room(1)
        step = self.step
        one, joined, waiting = int(step["bookings"]), int(step["next_joined"]), int(step["waiting"])
        self.bookings[job.job] = one
        run = min(job.runtime_us, job.estimate_us)
        length = self.tested(run, job.estimate_us)
        ready = -1 if booking.ready_us is None else booking.ready_us
        frame = booking.earliest_us, booking.expected_us, ready, booking.pinned
        self.booked[one] = job.job, run, job.estimate_us, length, job.size, *frame, state.SET_ASIDE, -1, 0, joined
        self.tasks.waiting[waiting] = one
        step["bookings"], step["next_joined"], step["waiting"], step["called"] = one + 1, joined + 1, waiting + 1, 1
        if ready < 0 and max(booking.earliest_us, booking.expected_us) < self.now_us:
            step["lost"] += 1
            return None
        begin = self.hold(one, state.BY_BOOKING)
        return stepping.Prediction(begin, begin + length, self.is_conservative and ready >= 0)

    def hold(self, one: int, cause: int) -> int:
        """Make a hold for a booking that has none, at its place; return its begin."""
        booking = self.booked[one]
        data = booking["ready"] if booking["ready"] >= 0 else booking["expected"]
        at = max(self.now_us, int(booking["earliest"]), int(data))
        begin = self.place(at, int(booking["processors"]), int(booking["length"]))
        if self.step["slides"] == len(self.tasks.slides):
            self.make_room_for_slides()
        hold_at(begin, one, cause, self.blocks, self.tasks)
        return begin

    def release(self, job: int, ready_us: int, earliest_us: int) -> None:
        """Let a booked job start, as its predecessors are done."""
        one, booked = self.bookings.get(job, -1), self.booked
        held_back = one >= 0 and booked["ready"][one] < 0
        checks.check_release(job, int(booked["earliest"][one]) if held_back else None, earliest_us)
        booked["ready"][one], booked["earliest"][one], booked["fresh"][one] = ready_us, earliest_us, 1
        self.step["called"] = 1

    def record(self) -> stepping.Record:
        """Return what has happened so far, as tables."""
        known, world = int(self.step["known"]), self.machine.world
        start = world.start[:known]
        finish = start + world.jobs.run[:known]
        done = (start >= 0) & (finish <= self.now_us)
        number, never = self.machine.number[:known][done], np.zeros(int(done.sum()), np.int32)
        jobs = stepping.became_table(number, start[done], finish[done], never)
        sizes = pl.Series("processors", world.jobs.size[:known][done]).cast(pl.Int32)
        held = jobs.with_columns(sizes, pl.lit(0, pl.Int16).alias("cluster")).sort("job", "start_us")
        slides = self.tasks.slides[: self.step["slides"]]
        counters = {**counters_of(world), "lost_slots": int(self.step["lost"])}
        return stepping.Record(
            jobs, dedicated_allocations(held), stepping.slides_table(slides["job"], slides), {}, counters
        )
