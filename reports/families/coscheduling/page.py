"""The diagrams of shared processors on the page of schedules."""

from collections.abc import Sequence

from reports.diagrams.allocations import is_of
from reports.diagrams.windows import MOST, WANTED, whole_or_telling
from reports.families.coscheduling.diagram import WHOLE, CoschedulingWindow, comparable, pair_changes, read_window
from reports.pages import diagram_page as page
from reports.pages.diagram_page import seconds


def workload_context(shown: Sequence[page.ShownRun]) -> page.Context | None:
    """Return one workload's window; None where no run is one of coscheduling, or none has jobs in the window.

    The window is the whole schedule where all are small, else one in which many pairs are formed.
    """
    if not any(is_of(run.folder, "coscheduling") for run in shown):
        return None
    window = whole_or_telling([run.folder for run in shown], pair_changes, WANTED)
    drawn = page.read_windows(shown, read_window, window)
    context = page.window_context(drawn, ("kind", "size"), ("outcome", "preemptions"), policy_context)
    # The last policy under which jobs share: policies for comparison come before it.
    return page.opening(context, lambda policy: any(held[-1] for held in policy["held"]), place=-1)


def policy_context(window: CoschedulingWindow, place: dict[int, int]) -> page.Context:
    """Return which job has which part of which processors under a policy; times in seconds since the window began."""
    zero = window.begin_us
    columns = ("begin_us", "end_us", "processors", "share_ppm", "slowdown_ppm", "suspended", "runs", "bands", "alone")
    held = window.allocations.head(MOST).select("job", "beside", *columns)
    return {
        "stacked": window.stacked,
        "held": [
            [
                place[job], seconds(begin - zero), seconds(end - zero), size, round(share / WHOLE, 4), round(slowdown / WHOLE, 4),
                int(suspended), runs, *([round(edge, 3) for edge in parts] for parts in (bands, alone)),
                [place[other] for other in beside],
            ]
            for job, beside, begin, end, size, share, slowdown, suspended, runs, bands, alone in held.rows()
        ],
    }  # fmt: skip


contexts = page.contexts_of(comparable, workload_context)
PAGE = page.DiagramPage(contexts, "Shared processors", 40, ("viewer_drawing", "viewer"))
