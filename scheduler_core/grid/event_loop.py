"""The grid's event loop: clusters meet when a workflow is submitted or a task is done; the policy numbers the steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.common.units import NEVER_US

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.declarations.policy import Progress
    from scheduler_core.grid.clocks import Clocks
    from scheduler_core.grid.coordination import Coordination
    from scheduler_core.grid.workflow import Workflow


def run_events(
    clocks: Clocks, coordination: Coordination, workflows: Sequence[Workflow], progress: Progress | None = None
) -> None:
    """Let everything happen; ``workflows`` are those that are placed, in the order in which they are submitted."""
    placed = 0
    done: list[int]
    while True:
        submission = workflows[placed].submit_us if placed < len(workflows) else NEVER_US
        if clocks.first_us > submission:
            now, done = submission, []
        elif clocks.first_us == NEVER_US:
            break
        else:
            now, done = clocks.advance_first(submission)
            if not done:
                continue
        done += clocks.done_at(now)
        if done:
            coordination.done(done, now)
        while placed < len(workflows) and workflows[placed].submit_us == now:
            coordination.submitted(workflows[placed], now)
            placed += 1
        coordination.go_through_again(now)
        if progress is not None:
            progress(placed, len(workflows))
    clocks.finish()
