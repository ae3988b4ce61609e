"""The diagrams of slices on the page of schedules."""

from collections.abc import Sequence
from functools import partial

import polars as pl

from reports.diagrams.allocations import is_of
from reports.diagrams.windows import MOST, whole_or_telling
from reports.families.slices.diagram import CLASSES, SlicesWindow, group_changes, read_window
from reports.pages import diagram_page as page
from reports.pages.diagram_page import seconds

SMALL = 60
"""The most allocations of a schedule that is shown whole."""


def workload_context(shown: Sequence[page.ShownRun]) -> page.Context | None:
    """Return one workload's window; None where no policy has jobs in it.

    The window is the whole schedule where all are small, else one in which groups are formed or end.
    """
    window = whole_or_telling([run.folder for run in shown], group_changes, SMALL)
    drawn = page.read_windows(shown, read_window, window)
    context = page.window_context(drawn, ("class", "size"), ("outcome", "group", "place"), policy_context)
    return page.opening(context, lambda policy: bool(policy["groups"]))


def policy_context(window: SlicesWindow, place: dict[int, int]) -> page.Context:
    """Return a policy's stretches, slices and groups; times in seconds since the window began."""
    zero = window.begin_us
    held = window.allocations.head(MOST).select(
        "job", pl.col("class").to_physical(), "begin_us", "end_us", "processors", "lent", "runs"
    )
    return {
        "held": [
            [place[job], kind, seconds(begin - zero), seconds(end - zero), size, int(lent), runs]
            for job, kind, begin, end, size, lent, runs in held.rows()
        ],
        "slices": [
            [CLASSES.index(kind), *(seconds(edge - zero) for edge in edges)] for kind, *edges in window.slices.rows()
        ],
        "groups": [
            [group, kind, seconds(formed - zero), seconds(ended - zero), jobs]
            for group, kind, formed, ended, jobs in window.groups.sort("formed_us", "group").rows()
        ],
    }


contexts = page.contexts_of(partial(is_of, family_name="slices"), workload_context, examples=True)
PAGE = page.DiagramPage(contexts, "Time slices of job classes", 30, ("viewer_drawing", "viewer"))
