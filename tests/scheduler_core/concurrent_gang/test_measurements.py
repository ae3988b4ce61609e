"""What the engine learns of a task and what follows from it: the classes of chapters 6 and 8, and the control of spinning."""

from fractions import Fraction

import pytest

from scheduler_core import simulate
from scheduler_core.declarations.policy import get_policy
from tests.oracles.concurrent_gang.classify import Learned
from tests.oracles.job import Does, Job
from tests.scheduler_core.concurrent_gang.ways import drawing, in_form
from tests.scheduler_core.examples import Case

MILLION = 1_000_000

SLICES = {
    "I": (("compute", 400), ("disk", 600)),
    "C": (("barrier",), ("barrier",), ("compute", 890)),
    "P": (("compute", 1000),),
    "B": (("barrier",), ("barrier",), ("compute", 490), ("disk", 400)),
}
"""What a task does in a slice of 1 ms: I/O, communication (two barriers, of 55 us each), computation, I/O and communication."""

COUNTED = {
    "I": ((0.9, 0.3, 0.3), 1.8, 1.2),
    "II": ((0.98, 0.26, 0.26), 1.96, 1.44),
    "III": ((0.996, 0.252, 0.252), 1.992, 1.488),
    "IIIP": ((0.3992, 0.2504, 0.8504), 0.8504, 0.8504),
    "IIIPP": ((0.27984, 0.25008, 0.97008), 0.97008, 0.97008),
    "C": ((0.3, 0.9, 0.3), 0.6, 0.3),
    "CC": ((0.26, 0.98, 0.26), 0.52, 0.26),
    "CCC": ((0.252, 0.996, 0.252), 0.504, 0.252),
    "PP": ((0.26, 0.26, 0.98), 0.98, 0.98),
    "BB": ((0.98, 0.98, 0.26), 1.96, 0.26),
}
"""By slices: memberships, and priority by the formulas of chapters 6 and 8, worked from section 6.2.2."""

ESTIMATED = {
    "I": ((0.75, 0.25, 0.25), (0.6, 0.2, 0.2), 0.8),
    "II": ((0.875, 0.125, 0.125), (0.913043, 0.043478, 0.043478), 1.73913),
    "III": ((0.9375, 0.0625, 0.0625), (0.993691, 0.003155, 0.003155), 1.981073),
    "C": ((0.25, 0.75, 0.25), (0.2, 0.6, 0.2), 0.2),
    "CC": ((0.125, 0.875, 0.125), (0.043478, 0.913043, 0.043478), 0.043478),
    "P": ((0.25, 0.25, 0.75), (0.2, 0.2, 0.6), 0.6),
    "PP": ((0.125, 0.125, 0.875), (0.043478, 0.043478, 0.913043), 0.913043),
}
"""By slices: measurements, memberships, and priority by the formula of chapter 8, worked from equation 8.3."""


def learned(slices: str, **parameters: object) -> tuple[list[int], list[int], int]:
    """Return measurements, memberships and priority of a task alone on its processor, after such slices."""
    statements = tuple(statement for word in slices for statement in SLICES[word])
    job = Job(1, 0, 1000 * len(slices), 1000 * len(slices), 1, does=Does("program", seed=1, statements=(statements,)))
    extent = {"slice_ms": 1, "switch_us": 0, "trace_s": 1, "until_s": (len(slices) + 1) / 1000}
    policy = get_policy("concurrent_gang", **extent, **parameters)
    rows = simulate(Case([job], 1, policy).workload, policy).tables["trace_memberships"]
    assert rows.height >= len(slices)
    row = rows.row(len(slices) - 1)
    return list(row[8:11]), list(row[11:14]), row[14]


@pytest.mark.parametrize("slices", COUNTED)
def test_memberships_by_counting_statements(slices: str) -> None:
    memberships, six, eight = COUNTED[slices]
    _, found, priority = learned(slices)
    assert found == [round(MILLION * each) for each in memberships]
    assert priority == round(MILLION * six)
    assert learned(slices, priority="io_less_communication")[2] == round(MILLION * eight)
    assert all(MILLION // 4 < each < MILLION for each in found)


@pytest.mark.parametrize("slices", ESTIMATED)
def test_memberships_by_the_fuzzy_form_of_bayes(slices: str) -> None:
    measurements, memberships, priority = ESTIMATED[slices]
    measured, found, chosen = learned(slices, classifier="bayes", priority="io_less_communication")
    assert measured == [round(MILLION * each) for each in measurements]
    assert found == pytest.approx([MILLION * each for each in memberships], abs=2)
    assert chosen == pytest.approx(MILLION * priority, abs=5)
    assert abs(sum(found) - MILLION) <= 3


def exactly(slices: str) -> list[Fraction]:
    """Return the memberships after such slices by equation 8.3, in fractions, without a least membership."""
    measured, found = [Fraction(1, 2)] * 3, [Fraction(1, 2)] * 3
    for word in slices:
        shown = [word in "IB", word in "CB", word == "P"]
        measured = [Fraction(shows, 2) + m / 2 for m, shows in zip(measured, shown, strict=True)]
        products = [m * f for m, f in zip(measured, found, strict=True)]
        found = [product / sum(products) for product in products]
    return found


@pytest.mark.parametrize(
    ("slices", "io", "computation"), [("IIIPPP", 0.918661, 0.081338), ("IIIPPPP", 0.41279, 0.58721)]
)
def test_a_change_of_phase_takes_one_slice_more_than_the_phase_before_had(
    slices: str, io: float, computation: float
) -> None:
    memberships = exactly(slices)
    assert [float(memberships[0]), float(memberships[2])] == pytest.approx([io, computation], abs=1e-6)
    found = learned(slices, classifier="bayes", priority="io_less_communication")[1]
    assert found[0] / MILLION == pytest.approx(io, abs=2e-3)  # whole millionths are rounded down in every slice
    assert (found[0] > found[2]) == (io > computation)


def test_no_membership_is_lost_however_long_a_phase_lasts() -> None:
    """In floating point, without a least membership, a class is lost for good after 50 slices of another."""
    found = learned("I" * 60, classifier="bayes")[1]
    assert found[1:] == [1, 1]
    flips = next(n for n in range(1, 20) if learned("I" * 60 + "P" * n, classifier="bayes")[1][2] > MILLION // 2)
    task = Learned()
    for word in "I" * 60 + "P" * flips:
        assert not task.memberships[2] > MILLION // 2
        task.estimate((word == "I", False, word == "P"), 1)
    assert task.memberships[2] > MILLION // 2


NEIGHBOURS = {
    "a ready task that is I/O-bound": ("compute", 1000, "disk", 5000, "compute", 50_000),
    "an I/O-bound task that waits for its disk": ("compute", 1000, "disk", 50_000, "compute", 1000),
    "a ready task that computes": ("compute", 60_000),
}


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
@pytest.mark.parametrize("left", [855, 854])
def test_a_wait_is_limited_where_an_io_bound_task_is_ready_and_enough_is_left_of_the_slice(
    neighbour: str, left: int
) -> None:
    """Slices of 10 ms, switches of 200 us: a limit of 55 us where 55 + 4 x 200 us are left.

    Job 1 has the first slice. Task 0 of job 2 has its slice on the same processor: it switches, computes until so much is left of
    the slice, and waits for a message that does not come in it.
    """
    told = NEIGHBOURS[neighbour]
    beside = tuple(zip(told[::2], told[1::2], strict=True))
    work = 10_000 - 200 - left
    waits = ((("compute", work), ("receive", 1)), (("compute", 90_000), ("send", 1)))
    jobs = [
        Job(1, 0, 60_000, 60_000, 1, does=Does("program", seed=1, statements=(beside,))),
        Job(2, 5, 60_000, 60_000, 2, does=Does("program", seed=2, statements=waits)),
    ]
    policy = get_policy("gang_rt(slice_ms=10, until_s=0.02, trace_from_s=0.01, trace_s=0.01)")
    case = Case(jobs, 2, policy)
    drawn = drawing(in_form(case, simulate(case.workload, policy)))[0]
    limited = neighbour == "a ready task that is I/O-bound" and left == 855
    then = "w2:55 x1*:200 c1*:600" if limited else f"w2:{left}"
    assert drawn == f"x2:200 c2:{work} {then}"
