"""Slices once more, slow and plain: what the policies of this family must do, instant by instant.

Written from the docstrings of the policies and the tables of the contract alone, by another route than the engine's: plans
are lists of uses from which free processors are summed, clocks are summed over slices, processors stand in sets.
"""

from collections.abc import Sequence

from scheduler_core.declarations.policy import Policy
from tests.oracles.slices.bottom_line import SearchRun
from tests.oracles.slices.groups import GroupRun
from tests.oracles.slices.pect import Run
from tests.oracles.slices.state import Asked, Held, Outcome, Result

__all__ = ["Asked", "Held", "Outcome", "Result", "simulate"]

RUNS: dict[str, type[Run]] = {"pect": Run, "pect_o": GroupRun, "bottom_line": SearchRun}


def simulate(jobs: Sequence[Asked], processors: int, policy: Policy) -> Result:
    """Run a policy on jobs in the order of the workload, on a machine of so many processors."""
    return RUNS[policy.name](policy, jobs, processors).go()
