"""Reservations on a machine in space sharing: processors that are held for others, who run there what they like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.common.errors import ParameterError
from scheduler_core.kernel.profile import give_to_plan, hold_in_plan
from scheduler_core.space_sharing import state
from scheduler_core.space_sharing import stepped_state as rows
from scheduler_core.space_sharing.predicted import earliest_beside
from scheduler_core.space_sharing.stepped_loop import show_all
from scheduler_core.stepping.local_scheduler import Frame, Request, Reservation

if TYPE_CHECKING:
    from scheduler_core.space_sharing.stepped_state import Blocks, Tasks


class Reservations:
    """The reservations that are held on a machine.

    Parameters
    ----------
    in_plan
        Whether the machine has a plan, which they are taken out of; elsewhere the event loop sees them beside the bookings.
    """

    def __init__(self, in_plan: bool) -> None:
        self.in_plan = in_plan
        self.held: dict[int, Reservation] = {}
        self.planned_at: dict[int, int] = {}
        self.dropped: set[int] = set()
        self.made = 0

    def reserve(self, request: Request, frame: Frame, machine: Blocks, tasks: Tasks) -> Reservation | None:
        """Hold processors at the earliest time in a frame at which the plan, or the running jobs' estimates, leave them."""
        now, length = max(int(tasks.step[rows.AT]), 0), request.estimate_us
        earliest = max(now, frame.earliest_us)
        if self.in_plan:
            plan = rows.profile_of(machine)
            begin = int(hold_in_plan(plan, earliest, request.processors, length, frame.latest_us))
        else:
            begin = int(earliest_beside(now, earliest, request.processors, length, machine))
            begin = begin if begin + length <= frame.latest_us else -1
        if begin < 0:
            return None
        self.made += 1
        self.held[self.made] = Reservation(self.made, request.processors, begin, begin + length)
        self.planned_at[self.made] = int(machine.few[rows.COUNTERS, state.PASSES])
        self.show(machine, tasks)
        return self.held[self.made]

    def withdraw(self, reservation: Reservation, machine: Blocks, tasks: Tasks) -> None:
        """Drop a reservation; jobs that were kept waiting, or planned, for its sake are looked at when the machine goes on."""
        if reservation.number in self.dropped:
            raise ParameterError(f"reservation {reservation.number} was dropped before")
        self.dropped.add(reservation.number)
        if reservation.number not in self.held:
            return
        planned_since = machine.few[rows.COUNTERS, state.PASSES] > self.planned_at[reservation.number]
        self.forget([reservation.number], machine, tasks)
        now, clock = int(tasks.step[rows.AT]), machine.few[rows.CLOCK]
        if self.in_plan:
            begin = max(now, reservation.begin_us)
            if begin < reservation.end_us:
                give_to_plan(rows.profile_of(machine), begin, reservation.end_us, reservation.processors)
            if planned_since:
                clock[state.GIVEN], clock[state.DUE] = 1, now
        elif machine.few[rows.COUNTS, state.BLOCKED]:
            clock[state.DUE] = now
        tasks.step[rows.CALLED] = 1

    def forget_past(self, machine: Blocks, tasks: Tasks) -> None:
        """Take the reservations off the list that are over."""
        if self.held:
            now = int(tasks.step[rows.AT])
            self.forget([number for number, held in self.held.items() if held.end_us <= now], machine, tasks)

    def forget(self, numbers: list[int], machine: Blocks, tasks: Tasks) -> None:
        """Take reservations off the list."""
        for number in numbers:
            del self.held[number], self.planned_at[number]
        if numbers:
            self.show(machine, tasks)

    def show(self, machine: Blocks, tasks: Tasks) -> None:
        """Let the event loop see what is held; a plan has it in itself."""
        if self.in_plan:
            return
        for place, held in enumerate(self.held.values()):
            machine.times[[rows.HELD_BEGIN, rows.HELD_END, rows.HELD_SIZE], place] = (
                held.begin_us,
                held.end_us,
                held.processors,
            )
        tasks.step[rows.RESERVATIONS] = len(self.held)
        show_all(machine, tasks)
