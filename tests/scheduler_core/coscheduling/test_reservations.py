"""What backfilling with matching promises the first of the queue (section 3.7 as printed does not keep it), seen from within."""

import dataclasses

import pytest
from hypothesis import given

from scheduler_core.declarations.policy import get_policy
from tests.oracles.coscheduling import oracle
from tests.oracles.coscheduling.lomarc import Lomarc
from tests.profiles import searching
from tests.scheduler_core.coscheduling.subjects import SUBJECTS
from tests.scheduler_core.coscheduling.ways import by_oracle
from tests.scheduler_core.examples import Case, SeededChooser


def shadows(case: Case, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return the shadow of the first of the queue before and after the backfilling of each pass."""
    found = []

    class Watched(Lomarc):
        """LOMARC, watched."""

        def backfill(self) -> None:
            before = self.reserve().shadow
            super().backfill()
            found.append((before, self.reserve().shadow))

    with monkeypatch.context() as watched:
        watched.setattr(oracle, "Lomarc", Watched)
        by_oracle(case)
    return found


@searching(150)
@given(case=SUBJECTS["reservation"].strategy)
def test_backfilling_never_moves_the_reservation(case: Case) -> None:
    case = dataclasses.replace(case, policy=dataclasses.replace(case.policy, beyond_shadow="counts"))
    assert all(after <= before for before, after in shadows(case, pytest.MonkeyPatch()))


def test_backfilling_as_printed_moves_reservations(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair that outlives the shadow leaves what it uses to others, too."""
    moved = 0
    for seed in range(300):
        case = SUBJECTS["reservation"].draw(SeededChooser(seed), False)
        printed = dataclasses.replace(case, policy=dataclasses.replace(case.policy, beyond_shadow="as_printed"))
        moved += any(after > before for before, after in shadows(printed, monkeypatch))
    assert moved > 0
    assert get_policy("lomarc").beyond_shadow == "counts"
