"""The diagrams of gang scheduling on the page of schedules."""

from collections.abc import Sequence
from functools import partial

from reports.diagrams.allocations import is_of
from reports.diagrams.windows import telling_window
from reports.families.gang.diagram import MOST_SLOTS, GangWindow, drawable, level_changes, read_window, telling_stretch
from reports.families.gang.layout import gathered
from reports.pages import diagram_page as page
from reports.pages.diagram_page import seconds

ASKED = ("class", "flexibility", "size", "size_min", "size_max")


def workload_context(shown: Sequence[page.ShownRun]) -> page.Context | None:
    """Return one workload's window, and the policies with too many slots to draw."""
    drawn = [run for run in shown if drawable(run.folder)]
    window = telling_window([run.folder for run in drawn], level_changes)
    read = page.read_windows(drawn, read_window, window)
    kept = [(run, matrix) for run, matrix in read if matrix.slots <= 2 * MOST_SLOTS]
    context = page.window_context(kept, ASKED, ("outcome",), policy_context)
    missing = [run.label for run in shown if run not in [one for one, _ in kept]]
    # The first policy under which jobs change their sizes.
    context = page.opening(context, lambda policy: any(row[6] != 0 for row in policy["held"]))
    return context and {**context, "missing": missing}


def policy_context(matrix: GangWindow, place: dict[int, int]) -> page.Context:
    """Return a policy's allocations and levels; times in seconds since the window began.

    The last value of an allocation is its gathered processors (:func:`reports.families.gang.layout.gathered`), or 0 where
    gathering changes nothing.
    """
    zero = matrix.begin_us
    held = matrix.allocations.select(
        "job", "slot", "begin_us", "end_us", "rate", "overhead_us", "change", "processors", "runs"
    )
    together = gathered(matrix).allocations["runs"].to_list()
    settings = matrix.policy.get("parameters", {})
    return {
        "slots": matrix.slots,
        "most": settings.get("level", ""),
        "slice": settings.get("slice_s", 0),
        "scaled": settings.get("slice") == "scaled",
        "held": [
            [place[job], slot, seconds(begin - zero), seconds(end - zero), round(rate, 4), seconds(stall, 6), change,
             size, runs, close if close != runs else 0]
            for (job, slot, begin, end, rate, stall, change, size, runs), close in zip(held.rows(), together, strict=True)
        ],
        "phases": [
            [seconds(p.begin_us - zero), seconds(p.end_us - zero), p.level, round(p.share, 6), seconds(p.slice_us, 6),
             seconds(p.origin_us - zero, 6), list(p.slots)]
            for p in matrix.phases
        ],
        "stretch": [seconds(edge - zero) for edge in telling_stretch(matrix)],
    }  # fmt: skip


contexts = page.contexts_of(partial(is_of, family_name="gang"), workload_context)
PAGE = page.DiagramPage(contexts, "Gang scheduling: the matrix", 20, ("viewer_data", "viewer_drawing", "viewer"))
