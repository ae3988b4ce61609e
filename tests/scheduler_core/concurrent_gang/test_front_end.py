"""The front end alone: which jobs it places where, and whose turn it is."""

import numpy as np
import pytest

from scheduler_core.common.units import NEVER_US
from scheduler_core.concurrent_gang.front_end import FrontEnd
from scheduler_core.concurrent_gang.policies.concurrent_gang import ConcurrentGang
from tests.scheduler_core.gang.background_schedules import drawing, legal, workload_of
from tests.scheduler_core.scenario import asked

SLICE_NS = 200_000_000


class Desk:
    """A front end that is told one tick after the other; jobs are numbered from 1 in drawings, as they are asked for."""

    def __init__(self, processors: int, *sizes: int, later: tuple[int, ...] = (), **parameters) -> None:
        submit_us = [0] * len(sizes) + [SLICE_NS // 1000 * (k + 1) for k in range(len(later))]
        self.front = FrontEnd(
            ConcurrentGang(**parameters), processors, SLICE_NS, np.array(submit_us), np.array([*sizes, *later])
        )
        self.slices = 0

    def tick(self, *gone: int, ended: tuple[int, ...] = ()) -> list[str]:
        """Tell the next tick; return the rows drawn, a letter per processor: the job's number, `.` where there is none."""
        front = self.front
        self.changed = front.tick(self.slices * SLICE_NS, front.turn, [job - 1 for job in gone], ended)
        self.slices += 1
        jobs = np.searchsorted(front.first_task, front.rows, side="right")
        return ["".join("." if job == 0 else str(job) for job in row) for row in jobs]

    @property
    def placed(self) -> list[tuple[int, list[int], int]]:
        """Jobs that the last tick placed, with their processors and row."""
        return [(job + 1, held.tolist(), row) for job, held, row in self.front.placed]


def test_first_fit_and_best_fit_choose_different_rows():
    assert Desk(5, 3, 4, 1).tick() == ["1113.", "2222."]
    assert Desk(5, 3, 4, 1, packing="best_fit").tick() == ["111..", "22223"]
    assert Desk(5, 3, 1, 4, packing="one_job").tick() == ["111..", "2....", "3333."]
    assert Desk(3, 2, 2, 1, packing="best_fit").tick() == ["113", "22."]  # equally many idle: the first row


def test_best_fit_counts_all_idle_processors_of_a_row_not_only_those_that_may_take_a_further_task():
    desk = Desk(4, 2, 1, 2, 4, later=(1,), packing="best_fit", tasks_per_processor=2)
    assert desk.tick() == ["112.", "33.."]
    assert desk.tick(1) == [
        "..2.",
        "33.5",
        "4444",
    ]  # job 5 fits on the last processor only, in rows with three and two idle


def test_tasks_are_numbered_by_job_and_processor():
    desk = Desk(4, 2, 3, 2)
    desk.tick()
    assert desk.front.rows.tolist() == [[0, 1, 5, 6], [2, 3, 4, -1]]
    assert desk.placed == [(1, [0, 1], 0), (2, [0, 1, 2], 1), (3, [2, 3], 0)]


def test_a_later_job_passes_one_that_cannot_be_placed_unless_told_otherwise():
    assert Desk(3, 2, 2, 1, level=1).tick() == ["113"]
    desk = Desk(3, 2, 2, 1, level=1, queue="fcfs")
    assert desk.tick() == ["11."]
    assert desk.front.queued.tolist() == [1, 2]
    assert desk.tick(1) == ["223"]
    assert desk.front.queued.tolist() == []


def test_only_so_many_tasks_are_bound_to_a_processor():
    desk = Desk(3, 2, 2, 2, 1, tasks_per_processor=2)
    assert desk.tick() == ["114", "22."]  # processor 2 alone may have another task
    assert desk.front.queued.tolist() == [2]
    # Jobs 4 and 5 come when job 1 has left. Either processor is idle in a row, and has two tasks in the others.
    desk = Desk(2, 1, 1, 1, later=(2, 1), tasks_per_processor=2)
    assert desk.tick() == ["12", "3."]
    assert desk.tick(1) == [".2", "3.", "44"]
    assert desk.tick() == [".2", "3.", "44"]
    assert desk.front.queued.tolist() == [4]
    assert desk.tick(2) == ["35", "44"]


def test_the_turn_goes_on_behind_the_row_that_had_it_whatever_is_deleted():
    desk = Desk(2, 2, 2, 2, 2)
    assert [(desk.tick(), desk.front.turn)[1] for _ in range(6)] == [0, 1, 2, 3, 0, 1]
    assert desk.tick(2) == ["11", "33", "44"]
    assert desk.front.turn == 1  # row 1 is gone, row 0 the last before it: job 3 is next
    assert desk.tick(4) == ["11", "33"]
    assert desk.front.turn == 0
    assert desk.tick(1) == ["33"]
    assert desk.front.turn == 0
    assert (desk.tick(3), desk.front.turn, desk.changed) == ([], -1, True)
    assert (desk.tick(), desk.front.turn, desk.changed) == ([], -1, False)


def test_rows_that_are_left_are_deleted_before_jobs_are_placed():
    desk = Desk(2, 2, 2, 2, later=(2,))
    desk.tick()
    assert desk.tick(1, 3) == ["22", "44"]
    assert desk.placed == [(4, [0, 1], 1)]
    assert desk.front.turn == 0


def test_jobs_come_at_the_first_tick_at_or_after_their_submission():
    front = FrontEnd(ConcurrentGang(), 2, SLICE_NS, np.array([0, 200_000, 200_001]), np.array([1, 1, 1]))
    assert front.next_submit_ns == 0
    assert front.tick(0, -1)
    assert [job for job, _, _ in front.placed] == [0]
    assert front.tick(SLICE_NS, 0)
    assert [job for job, _, _ in front.placed] == [1]
    assert front.next_submit_ns == 200_001_000
    assert front.tick(2 * SLICE_NS, 0)
    assert [job for job, _, _ in front.placed] == [2]
    assert front.next_submit_ns >= NEVER_US


def test_places_of_ended_tasks_are_free_only_if_told():
    for frees, rows in ((False, ["111", "4.."]), (True, ["141"])):
        desk = Desk(3, 3, later=(1,), free_on_task_end=frees)
        desk.tick()
        drawn = desk.tick(ended=(1,))
        assert [row.replace("2", "4") for row in drawn] == rows
        assert desk.tick(1) == (["2.."] if not frees else [".2."])


def test_a_job_leaves_only_places_that_are_still_its_own():
    desk = Desk(3, 3, later=(1,), free_on_task_end=True)
    desk.tick()
    assert desk.tick(ended=(0,)) == ["211"]
    assert desk.tick(1, ended=(1, 2)) == ["2.."]
    assert desk.front.rows.tolist() == [[3, -1, -1]]


@pytest.mark.parametrize("drawn", range(25))
@pytest.mark.parametrize("selective", [True, False])
@pytest.mark.parametrize("alternative", [True, False])
def test_the_cycle_of_controllers_is_that_of_the_policy_dhc(drawn, selective, alternative):
    draw = np.random.default_rng(drawn)
    processors = int(draw.integers(1, 11))
    sizes = draw.integers(1, processors + 1, draw.integers(1, 9)).tolist()
    call = f"dhc(slice_s=0.0, selective_disabling={selective}, alternative={alternative})"
    schedule = legal(workload_of(processors, *(asked(0, 1000, size) for size in sizes)), call)
    desk = Desk(
        processors, *sizes, front="dhc", selective_disabling=selective, fill="alternative" if alternative else "none"
    )
    assert desk.tick() == drawing(schedule, processors, 1)


def test_controllers_take_turns_by_the_clock():
    desk = Desk(2, 2, 1, front="dhc", later=(2,))
    assert (desk.tick(), desk.front.turn) == (["11", "2."], 0)
    assert (desk.tick(), desk.front.turn) == (["11", "33", "2."], 1)
    assert (desk.tick(), desk.front.turn) == (["11", "33", "2."], 2)
    assert (desk.tick(1), desk.front.turn) == (["33", "2."], 1)  # three slices so far


def test_a_job_waits_for_a_controller_whose_processors_are_eligible():
    desk = Desk(4, 2, 2, 2, 1, front="dhc", tasks_per_processor=1)
    assert desk.tick() == ["1122"]
    assert desk.front.queued.tolist() == [2, 3]
    assert desk.tick(1) == ["3322"]
    assert desk.tick(2) == ["334."]
    assert desk.front.queued.tolist() == []
    # Three processors are eligible, but no controller has its first two among them.
    desk = Desk(4, 1, 1, 1, 2, front="dhc", tasks_per_processor=1)
    desk.tick()
    assert desk.tick(2) == ["1.3."]
    assert desk.front.queued.tolist() == [3]
    assert desk.tick(3) == ["1.44"]
