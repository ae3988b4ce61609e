"""Bookings in slices, worked by hand: a machine of four processors, whose intervals last 40 s.

Without short jobs an interval has a medium slice that works from 1 to 20 and a long one that works from 21 to 40. At the least
the medium one works from 7 to 23 and the long one from 24 to 40. Times in seconds.
"""

from typing import Any

import polars as pl
import pytest

from scheduler_core.common.errors import ParameterError
from scheduler_core.common.units import NEVER_US
from scheduler_core.contracts import WORKLOAD_COLUMNS
from scheduler_core.declarations.policy import get_policy
from scheduler_core.slices.local_scheduler import Local
from scheduler_core.slices.policies.pect import Pect
from scheduler_core.stepping.local_scheduler import Booking, BookingRules, Job, Request, local_scheduler

S = 1_000_000
SLICES: dict[str, Any] = {
    "interval_s": 40.0,
    "switch_s": 1.0,
    "short_slice_s": 5.0,
    "share_medium": 0.4,
    "share_long": 0.4,
    "short_limit_s": 2.5,
    "medium_limit_s": 12.0,
}


def cluster(smart: bool = True, **rules: Any) -> Local:
    """Make a machine on which nothing has happened up to 5."""
    made = Local(Pect(**SLICES, smart=smart), 4, BookingRules(**rules))
    assert made.advance(5 * S) == []
    return made


def book(
    scheduler: Local, job: int, estimate: float, earliest: float, expected: float, latest: float = 1000, **how: Any
) -> tuple[float, float] | None:
    """Book the whole machine; return when the job is predicted to start and to finish."""
    asked = Job(job, scheduler.now_us, round(estimate * S), round(estimate * S), 4)
    if "ready_us" in how:
        how["ready_us"] *= S
    found = scheduler.book(asked, Booking(round(earliest * S), round(expected * S), round(latest * S), **how))
    return None if found is None else (found.start_us / S, found.finish_us / S)


def submit(scheduler: Local, job: int, at: float, estimate: float, run: float | None = None) -> None:
    """Submit a job that asks for the whole machine."""
    runs = estimate if run is None else run
    scheduler.submit(Job(job, round(at * S), round(runs * S), round(estimate * S), 4))


def ran(scheduler: Local) -> dict[int, tuple[float, float]]:
    """Let everything happen; return when each job first ran and when it left."""
    scheduler.advance(NEVER_US - 1)
    rows = scheduler.record().jobs.select("job", "start_us", "finish_us").rows()
    return {job: (start / S, finish / S) for job, start, finish in rows}


def slides(scheduler: Local, job: int) -> list[tuple[float, str, float, float]]:
    """Return where the slot of a job stood: when it was placed there, why, its begin and end."""
    rows = scheduler.record().slides.filter(pl.col("job") == job).rows(named=True)
    return [(row["at_us"] / S, row["cause"], row["start_us"] / S, row["finish_us"] / S) for row in rows]


@pytest.mark.parametrize(
    ("at", "earliest", "expected"),
    [
        (0, 0, (7, 17)),  # the interval that begins now may get a short slice
        (5, 5, (5, 15)),  # the one around now would have none
        (5, 12, (12, 49)),  # 8 of 10 until 20, the rest from 47 on
        (5, 30, (47, 57)),
        (5, 50, (50, 60)),  # three seconds of the next slice are over
        (5, 60, (60, 94)),
    ],
)
def test_what_a_job_is_predicted_that_starts_later(at: int, earliest: int, expected: tuple[int, int]) -> None:
    """A medium job of 10 s on an idle machine; a prediction is a promise only for a job that comes now."""
    scheduler = Local(Pect(**SLICES), 4)
    scheduler.advance(at * S)
    found = scheduler.predict(Request(4, 10 * S), earliest * S)
    assert found is not None
    assert (found.start_us, found.finish_us) == (expected[0] * S, expected[1] * S)
    assert found.bound == (at == earliest)
    assert book(scheduler, 1, 10, earliest, earliest) == expected


def test_a_task_slides_up_when_it_is_released_early() -> None:
    """Its data are expected at 12 and there at 9; its frame begins at 8."""
    scheduler = cluster()
    assert book(scheduler, 1, 10, 8, 12) == (12, 49)
    scheduler.advance(9 * S)
    scheduler.release(1, 9 * S, 8 * S)
    assert ran(scheduler) == {1: (9, 19)}
    assert slides(scheduler, 1) == [(5, "booked", 12, 49), (9, "freed", 9, 19)]


def test_a_task_does_not_start_before_its_frame_though_its_data_are_there() -> None:
    """Released at 6, its frame begins at 8; without slack it waits until 12, where its data were expected."""
    for earliest in (8, 12):
        scheduler = cluster()
        book(scheduler, 1, 10, earliest, 12)
        scheduler.advance(6 * S)
        scheduler.release(1, 6 * S, earliest * S)
        assert ran(scheduler)[1][0] == earliest


@pytest.mark.parametrize("rule", ["rebooked", "recalculated"])
@pytest.mark.parametrize(("smart", "finish"), [(True, 28.000001), (False, 48.000001)])
def test_a_task_whose_data_are_late_is_set_aside(smart: bool, finish: float, rule: str) -> None:
    """Its slot is free again from the microsecond after its bound, 12, on; released at 14, it comes behind job 2."""
    scheduler = cluster(smart, reservations=rule)
    book(scheduler, 1, 10, 8, 12)
    submit(scheduler, 2, 10, 5)
    scheduler.advance(14 * S)
    scheduler.release(1, 16 * S, 8 * S)
    assert ran(scheduler) == {1: (17.000001, finish), 2: (12.000001, 17.000001)}
    assert [row[:3] for row in slides(scheduler, 1)] == [(5, "booked", 12), (14, "freed", 17.000001)]
    assert scheduler.record().counters["lost_slots"] == 1


def test_a_kept_slot_is_free_again_after_its_latest_finish() -> None:
    """Its bound is 12, its latest finish 14: job 2 starts a microsecond later, and the task, released at 16, when it is done."""
    scheduler = cluster(smart=False, reservations="kept")
    book(scheduler, 1, 10, 8, 12, latest=14)
    submit(scheduler, 2, 10, 5)
    scheduler.advance(16 * S)
    scheduler.release(1, 16 * S, 8 * S)
    assert ran(scheduler) == {1: (19.000001, 50.000001), 2: (14.000001, 19.000001)}
    assert scheduler.record().counters["lost_slots"] == 1


def test_a_kept_slot_that_moves_up_leaves_its_room_to_others() -> None:
    """Its slot is from 9 s to 14 s of the clock; job 2 takes 9 s and is behind it. At 7 the task starts, done at 12."""
    scheduler = cluster(reservations="kept")
    assert book(scheduler, 1, 5, 5, 10) == (10, 15)
    submit(scheduler, 2, 6, 9)
    scheduler.advance(7 * S)
    scheduler.release(1, 7 * S, 5 * S)
    assert ran(scheduler) == {1: (7, 12), 2: (12, 22)}


def test_the_data_of_a_task_may_come_at_its_bound_itself() -> None:
    """Job 2 would like to run at 12, but task 1 is released then."""
    scheduler = cluster()
    book(scheduler, 1, 7, 8, 12)
    submit(scheduler, 2, 10, 5)
    scheduler.advance(12 * S)
    scheduler.release(1, 12 * S, 8 * S)
    assert ran(scheduler)[1] == (12, 19)


def test_what_is_late_as_it_is_booked_has_no_slot() -> None:
    """Its data were expected at 4; booked at 5, it has a slot as it is released, and no other before."""
    scheduler = cluster()
    assert book(scheduler, 1, 4, 3, 4) is None
    submit(scheduler, 2, 5, 10)
    scheduler.advance(6 * S)
    scheduler.release(1, 6 * S, 3 * S)
    assert ran(scheduler) == {1: (15, 19), 2: (5, 15)}


def test_a_slot_that_comes_too_early_is_made_anew() -> None:
    """No short job came, so that the clock of its class shows at 49 what it was to show at 55: job 2 uses the room.

    Until it does, its own slot at 53 is in the way.
    """
    scheduler = cluster(smart=False)
    assert book(scheduler, 1, 4, 55, 55, ready_us=50) == (55, 59)
    submit(scheduler, 2, 46, 4)
    assert ran(scheduler) == {1: (55, 59), 2: (49, 53)}
    assert slides(scheduler, 1) == [(5, "booked", 55, 59), (49, "not_ready", 57, 88), (49, "room", 55, 59)]


def test_a_pinned_slot_stays() -> None:
    """Job 1 is to run until 13 and is done at 7: a relaxed slot slides up, a pinned one does not."""
    for pinned, begin in ((False, 7), (True, 13)):
        scheduler = cluster()
        submit(scheduler, 1, 5, 8, run=2)
        scheduler.advance(5 * S)
        assert book(scheduler, 2, 3, 6, 6, ready_us=6, pinned=pinned) == (13, 16)
        assert ran(scheduler)[2] == (begin, begin + 3)


@pytest.mark.parametrize(("latest", "slid"), [(15, True), (14.9, False)])
def test_a_task_makes_room_for_a_job_within_its_frame(latest: float, slid: bool) -> None:
    """Job 2 has 2 s until the slot of task 1 begins, and needs 5: the slot slides to 11, if it is over by its latest finish."""
    scheduler = cluster(slide_down_backfill=True)
    assert book(scheduler, 1, 4, 8, 8, latest, ready_us=8) == (8, 12)
    submit(scheduler, 2, 6, 5)
    assert ran(scheduler) == ({1: (11, 15), 2: (6, 11)} if slid else {1: (8, 12), 2: (12, 17)})
    assert ((6, "slid_down", 11, 15) in slides(scheduler, 1)) == slid


@pytest.mark.parametrize(("latest", "finish"), [(55, 49), (54.9, 44)])
def test_a_task_waits_for_the_next_slice_rather_than_be_suspended(latest: float, finish: float) -> None:
    """Of its 8 s there is time for 5 until its slice ends; from 41 on it runs in one go."""
    scheduler = cluster(smart=False, slide_down_avoid_preemption=True)
    book(scheduler, 1, 8, 15, 15, latest, ready_us=15)
    assert ran(scheduler)[1] == (41 if finish == 49 else 15, finish)


def test_a_task_that_is_suspended_either_way_does_not_wait() -> None:
    """16 s is what a slice has at the least: 20 s are suspended once, begun now or in the next slice."""
    scheduler = Local(Pect(**SLICES | {"medium_limit_s": 30.0}), 4, BookingRules(slide_down_avoid_preemption=True))
    scheduler.advance(5 * S)
    book(scheduler, 1, 20, 10, 10, ready_us=10)
    assert ran(scheduler)[1][0] == 10


def test_short_slices_are_for_tasks_that_may_come() -> None:
    """A short task whose data are there at 100 asks for a slice in the interval from 80 on, and, waiting, in the next."""
    scheduler = cluster(smart=False)
    book(scheduler, 1, 2, 100, 100, ready_us=100)
    assert ran(scheduler)[1] == (121, 123)
    short = scheduler.record().tables["slices"].filter(pl.col("class") == "short")
    assert short.select("begin_us", "end_us").rows() == [(80 * S, 86 * S), (120 * S, 123 * S)]


def test_predictions_by_the_mean_take_the_slices_so_far() -> None:
    """No short slice was laid out: the medium one of the next interval is taken to work from 41 on."""
    scheduler = cluster(nominal="mean")
    submit(scheduler, 1, 5, 14)
    scheduler.advance(5 * S)
    found = scheduler.predict(Request(4, 4 * S), 30 * S)
    assert found is not None
    assert (found.start_us, found.finish_us, found.bound) == (41 * S, 45 * S, False)


def test_followed_jobs_stop_the_machine() -> None:
    """It comes back where a followed job is done, says before when none is, and takes no job in that is submitted later."""
    scheduler = cluster()
    scheduler.submit(Job(1, 6 * S, 3 * S, 5 * S, 2), followed=True)
    rows = [(3, 7 * S, S, 4 * S, 1), (2, 10 * S, 4 * S, 4 * S, 4)]
    scheduler.submit_many(pl.DataFrame(rows, schema=WORKLOAD_COLUMNS, orient="row"))
    assert scheduler.no_completion_before() == 9 * S
    assert [done.job for done in scheduler.advance_to_completion(100 * S)] == [1]
    assert scheduler.now_us == 9 * S
    assert book(scheduler, 4, 3, 9, 9, ready_us=9) == (9, 12)
    assert scheduler.no_completion_before() == 12 * S
    assert [done.job for done in scheduler.advance(13 * S)] == [3, 4]
    assert ran(scheduler)[2] == (12, 16)


def test_what_cannot_be_booked_is_refused() -> None:
    """The errors name the job."""
    scheduler = cluster()
    with pytest.raises(ParameterError, match="job 7: expected its submission at 5000000 us; found 6000000"):
        scheduler.book(Job(7, 6 * S, S, S, 1), Booking(0, 0, 0))
    with pytest.raises(ParameterError, match="job 7: expected 1 to 4 processors; found 5"):
        scheduler.book(Job(7, 5 * S, S, S, 5), Booking(0, 0, 0))
    book(scheduler, 7, 3, 6, 6)
    with pytest.raises(ParameterError, match="job 7: expected an earliest start by 6000000 us; found 7000000"):
        scheduler.release(7, 6 * S, 7 * S)
    scheduler.release(7, 6 * S, 6 * S)
    with pytest.raises(ParameterError, match="job 7: expected one that is booked here and was not released"):
        scheduler.release(7, 6 * S, 6 * S)
    many = pl.DataFrame([(8, 6 * S, S, S, 1), (9, 6 * S, 0, S, 1)], schema=WORKLOAD_COLUMNS, orient="row")
    with pytest.raises(ParameterError, match="job 9: run time and estimate must be positive"):
        scheduler.submit_many(many)
    for call in ('pect(backfilling="easy")', "pect(guard=False)", "pect_o", "bottom_line"):
        machine = local_scheduler(get_policy(call), 4)
        machine.advance(0)
        with pytest.raises(ParameterError, match="bookings need a reservation for every waiting job"):
            machine.book(Job(1, 0, S, S, 1), Booking(0, 0, 0))
