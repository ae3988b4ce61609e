"""Broken schedules of tasks on clusters in slices: by name the rule that must catch it, and what is changed."""

from tests.scheduler_core.checker.broken_schedules import counters, parameters, said
from tests.scheduler_core.checker.grid.chain_by_hand import BEHIND_THE_OTHER, BOOKED, RUNS, SLIDES, schedule
from tests.scheduler_core.checker.grid.grid_by_hand import S
from tests.scheduler_core.checker.grid.grid_mutations import TASK, both, with_row


def of(name, runs=None, **changes):
    """Return a change to a schedule of the chain: other runs of some jobs, other slides and counters."""
    return lambda made: schedule(name, runs, **changes)


A_SLICE_LATE = {2: ((41, 49),), 3: ((49, 53),), 4: ((53, 57),)}

CHAIN_MUTATIONS = {
    ("tasks start as the clock comes to their slots", "kept"): {
        "a task with a kept slot starts a slice late": of("kept", A_SLICE_LATE)
    },
    ("tasks start as the clock comes to their slots", "rigid"): {
        "a rigid task starts a slice late": of("rigid", A_SLICE_LATE)
    },
    ("tasks start as the clock comes to their slots", "recalculated"): {
        "a task starts a second late": of("recalculated", {2: ((16, 20), (41, 45)), 4: ((45, 49),)})
    },
    ("tasks start as the clock comes to their slots", "booked"): {
        "a task starts before the clock comes to its slot": lambda s: counters(
            with_row(s, "slides", cause="recalculated", start_us=4320 * S, finish_us=11_828 * S), slides_down=1
        )
    },
    ("slots have their processors", "kept"): {
        "a local job runs where a kept slot waits": of("kept", RUNS["recalculated"], backfilled=1)
    },
    ("slots have their processors", "rigid"): {
        "a local job runs where a rigid slot waits": of("rigid", {3: ((2, 6),), 4: ((46, 50),)}, backfilled=1),
        "a slot that was taken along takes the processors of another": of("rigid", slides=BOOKED),
        "a slot does not make way for a task that starts": of("rigid", slides=(*BOOKED, *BEHIND_THE_OTHER[:2])),
    },
    ("kept slots give way only to kept slots", "kept"): {
        "a kept slot is recalculated": of(
            "kept", RUNS["recalculated"], slides=SLIDES["recalculated"], backfilled=1, slides_up=1
        )
    },
    ("kept slots give way only to kept slots", "rigid"): {
        "a slot moves further than it must": of(
            "rigid",
            {2: ((19, 20), (41, 48)), 3: ((48, 52),), 4: ((52, 56),)},
            slides=(*BOOKED, (2, 2, 19, 54, "recalculated")),
            slides_down=1,
        )
    },
    ("recalculated slots do not lie before their bounds", "recalculated"): {
        "a recalculated slot is kept": of("recalculated", RUNS["kept"], slides=BOOKED, backfilled=0, slides_up=0)
    },
    ("the first of a queue waits only for room", "kept"): {
        "a job that fits is overtaken": of("kept", {3: ((48, 52),), 4: ((44, 48),)}, backfilled=1),
        "a job that fits waits": of("kept", {3: ((45, 49),), 4: ((49, 53),)}),
    },
    ("the first of a queue waits only for room", "recalculated"): {
        "a job that fits before a slot is overtaken": of(
            "recalculated", {3: ((44, 48),), 4: ((11, 15),)}, backfilled=2
        ),
        "a job waits behind a slot that it fits before": of(
            "recalculated", {3: ((44, 48),), 4: ((48, 52),)}, backfilled=0
        ),
    },
    ("predicted finishes follow from predicted starts", "rigid"): {
        "slots in the worst case where the mean is taken": lambda s: parameters(s, nominal="mean")
    },
    ("frames follow from what was predicted", "kept"): {
        "an earliest start after the start that was asked for": lambda s: both(
            s, "candidates", "reservations", "earliest_us", 2 * S, TASK == 2
        ),
        "a start asked for without slack": lambda s: both(s, "candidates", "reservations", "from_us", 2 * S, TASK == 2),
        "data expected after the earliest start": lambda s: said(s, "reservations", TASK == 2, expected_us=17 * S),
        "frames from the earliest start where they are literal": lambda s: parameters(s, frame_rule="literal"),
        "frames from the earliest start with more slack": lambda s: parameters(s, slpa=0.5),
    },
}
