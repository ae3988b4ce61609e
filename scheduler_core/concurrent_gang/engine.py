"""From a workload and Concurrent Gang to a schedule: prepare the state, run the event loop, call the front end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.common.errors import ContractError
from scheduler_core.common.units import NS_PER_US
from scheduler_core.concurrent_gang import state
from scheduler_core.concurrent_gang.event_loop import run_events
from scheduler_core.concurrent_gang.family import FAMILY
from scheduler_core.concurrent_gang.front_end import FrontEnd
from scheduler_core.concurrent_gang.layout import check_times, make_world
from scheduler_core.concurrent_gang.placement import lay_out_tasks, place
from scheduler_core.concurrent_gang.tables import family_tables, held_processors
from scheduler_core.kernel.jit import Direct
from scheduler_core.kernel.records import enlarged
from scheduler_core.stepping.engine_shell import Became, Shell, counted

if TYPE_CHECKING:
    from scheduler_core.concurrent_gang.policies.concurrent_gang import ConcurrentGang
    from scheduler_core.contracts import Schedule, Workload
    from scheduler_core.declarations.policy import Progress

EVENTS_AT_ONCE = 1 << 24
MESSAGES_PER_TASK = 8
"""Messages of a job's list that are kept at first, so many times its tasks."""

MOST_SUMS = 1 << 24
"""A run keeps so many sums of a processor in a period: 1.2 GB."""

MOST_TRACED = 1 << 24
"""A run keeps so many rows of a table of the trace: 1.9 GB of the widest."""


def run(policy: ConcurrentGang, workload: Workload, progress: Progress | None = None) -> Schedule:
    """Return the schedule of a workload."""
    shell = Shell(FAMILY, policy, workload)
    check_times(shell.jobs, workload.companions)
    simulation = Run(policy, shell)
    with shell.kernel():
        simulation.simulate(progress)
    world = simulation.world
    finish = world.jobs["finish"]
    became = Became(
        start=np.where(world.jobs["start"] < 0, -1, world.jobs["start"] // NS_PER_US),
        finish=-(-finish // NS_PER_US),
        unfinished=finish < 0,
    )
    for name in ("messages", "requests", "blocked", "barriers"):
        world.counters[name] = int(world.jobs[name].sum())
    numbers = shell.column("job")
    return shell.schedule(
        became,
        counted(state.COUNTERS, np.array(world.counters.tolist())),
        held_processors(numbers, world),
        tables=family_tables(numbers, world),
    )


class Run:
    """A simulation: the world the event loop works on, and the front end that reacts to changes of the workload."""

    def __init__(self, policy: ConcurrentGang, shell: Shell) -> None:
        self.world = make_world(policy, shell)
        sizes, submit_us = self.world.jobs["width"], shell.column("submit_us")
        rules = self.world.rules
        self.front = FrontEnd(policy, int(rules.processors), int(rules.slice), submit_us, sizes)
        self.bound = np.zeros(rules.processors, np.int64)
        self.placed: list[int] = []
        self.rank = 0
        self.world.clock.next_submit = min(self.front.next_submit_ns, state.NEVER)
        self.mail = int(self.world.jobs["room"].sum())  # messages of programs have their places
        self.free_rings: dict[int, list[int]] = {}
        self.step, self.place = Direct(run_events), Direct(place)
        lay_out_tasks(self.world)
        if rules.until < state.NEVER:
            self.refuse_periods(int(-(-rules.until // rules.sums)))

    def simulate(self, progress: Progress | None) -> None:
        """Run the event loop to the end of the run."""
        why = state.PAUSE
        while why != state.DONE:
            why = self.step(self.world, EVENTS_AT_ONCE)
            if why == state.FRONT_END:
                self.tell()
            elif why == state.MORE_ROOM:
                self.enlarge(int(self.world.clock.wanted))
            elif why == state.TOO_LONG:
                raise ContractError(
                    f"concurrent_gang: the run takes longer than {state.LATEST} ns (18 years), the longest it can count; "
                    "set until_s, or take fewer jobs"
                )
            if progress is not None:
                progress(self.front.submitted, len(self.world.jobs))

    def tell(self) -> None:
        """Let the front end act at a tick: jobs leave and are placed, and a row gets its turn."""
        world, front = self.world, self.front
        clock = world.clock
        gone, ended = world.gone[: clock.gone], world.ended[: clock.ended]
        for job in gone:
            self.bound[self.processors(job)] -= 1
            self.placed.remove(job)
            self.free_ring(job)
        changed = front.tick(int(clock.now), int(clock.turn), gone.tolist(), ended.tolist())
        clock.gone = clock.ended = 0
        for placement in front.placed:
            self.bound[placement.processors] += 1
            self.make_room(placement.job)
            self.placed.append(placement.job)
            self.rank += 1
            self.place(
                placement.job,
                placement.row,
                self.rank,
                int(clock.now),
                placement.processors.astype(np.int64),
                self.world,
            )
        clock.bound = len(self.placed)
        if world.rules.fills:
            world.placed[: clock.bound] = self.placed
        self.world = self.world._replace(rows=np.ascontiguousarray(front.rows, np.int64))
        world.counters.workload_changes += changed
        clock.turn, clock.rows = front.turn, len(front.rows)
        clock.next_submit = min(front.next_submit_ns, state.NEVER)

    def processors(self, job: int) -> np.ndarray:
        """Return the processors of a job that was placed."""
        first = self.world.jobs["first"][job]
        return self.world.tasks["processor"][first : first + self.world.jobs["width"][job]]

    def make_room(self, job: int) -> None:
        """Make room for a job that is placed: among the ready tasks, and for its messages."""
        world = self.world
        if self.bound.max() > world.ready.shape[1]:
            wider = np.zeros((len(world.ready), 2 * world.ready.shape[1]), np.int64)
            wider[:, : world.ready.shape[1]] = world.ready
            self.world = world = world._replace(ready=wider)
        if world.jobs["application"][job] == state.MESSAGES:
            self.give_mail(job, MESSAGES_PER_TASK * int(world.jobs["width"][job]))

    def give_mail(self, job: int, least: int) -> None:
        """Move the messages of a job to a ring of its own."""
        record = self.world.jobs[job]
        room = 1 << (least - 1).bit_length()
        if self.free_rings.get(room):
            begin = self.free_rings[room].pop()
        else:
            begin = self.mail
            self.mail += room
        if self.mail > len(self.world.mail):
            self.world = self.world._replace(mail=enlarged(self.world.mail, 2 * self.mail))
        kept = np.arange(record.tail, record.head)
        self.world.mail[begin + kept % room] = self.world.mail[record.mail + kept % max(1, record.room)]
        self.free_ring(job)
        record.mail, record.room = begin, room

    def free_ring(self, job: int) -> None:
        """Free the ring of a job that has ended or has got a larger one."""
        record = self.world.jobs[job]
        if record.room > 0:
            self.free_rings.setdefault(int(record.room), []).append(int(record.mail))

    def refuse_periods(self, periods: int) -> None:
        """Raise :class:`ContractError` if the sums of so many periods are more than a run can keep."""
        rules = self.world.rules
        if periods * rules.processors > MOST_SUMS:
            raise ContractError(
                f"concurrent_gang: sums_s {rules.sums / 1e9:g} makes {periods:,} periods or more of {rules.processors} "
                f"processors each, and a run keeps {MOST_SUMS:,} rows of them at most; take longer periods"
            )

    def refuse_trace(self) -> None:
        """Raise :class:`ContractError` if the tables of the trace are as long as they may be."""
        world = self.world
        if max(map(len, world.trace)) >= MOST_TRACED:
            begin, end, now = (time / 1e9 for time in (world.rules.trace_begin, world.rules.trace_end, world.clock.now))
            raise ContractError(
                f"concurrent_gang: trace_s {end - begin:g} asks for a trace from {begin:,.10g} to {end:,.10g} s, and at "
                f"{now:,.10g} s one of its tables has the {MOST_TRACED:,} rows that a run keeps at most; take a shorter window"
            )

    def enlarge(self, wanted: int) -> None:
        """Enlarge the array or table that wants room."""
        world = self.world
        if wanted == state.PERIODS:
            self.refuse_periods(len(world.periods))
            most = MOST_SUMS // int(world.rules.processors) + 1  # the last is always free
            self.world = world._replace(periods=enlarged(world.periods, min(most, 2 * len(world.periods))))
        elif wanted == state.TRACE:
            self.refuse_trace()
            least = 2 * (8 * int(world.rules.processors) + 64) + 2 * world.ready.size
            larger = [enlarged(table, min(MOST_TRACED, max(least, 2 * len(table)))) for table in world.trace]
            self.world = world._replace(trace=state.Trace(*larger))
        else:
            self.give_mail(wanted, 2 * int(world.jobs["room"][wanted]))
