"""The rows of data of a printed diagram of slices."""

from dataclasses import replace

import polars as pl

from reports.diagrams.allocations import job_rectangles
from reports.diagrams.clock import Clock
from reports.diagrams.parts import WIDTH, check_count, ink_on
from reports.draw.charts import Row
from reports.families.slices.diagram import SlicesWindow

LETTERS = {"short": "S", "medium": "M", "long": "L"}
"""Letters of slices, as the thesis has them."""

SHADES = {
    "short": ("#56b4e9", "#8ccbf0", "#2f93cc"),
    "medium": ("#d98c00", "#f0b64d", "#b37300"),
    "long": ("#8f6bb8", "#b397d3", "#6f4c99"),
}
"""Shades of a class: similar, yet different enough to tell its jobs apart."""

HEIGHT = 280
"""Height of the machine in print, in pixels."""


def rows_of_window(window: SlicesWindow, clock: Clock, panel: int = 0) -> list[Row]:
    """Return all rows of a window; ``panel`` numbers it among the machines of a picture."""
    found = [*slice_rows(window, clock), *waiting_rows(window, clock), *group_rows(window, clock)]
    found += job_rows(window, clock)
    return [{"panel": panel, **row} for row in found]


def paints_of(window: SlicesWindow) -> dict[int, str]:
    """Return the colour of each job: the shades of its class in turn."""
    order = window.jobs.sort("submit_us", "job").with_columns(
        (pl.int_range(pl.len()).over("class") % 3).alias("shade"), pl.col("class").cast(pl.String)
    )
    return {job: SHADES[kind][shade] for job, kind, shade in order.select("job", "class", "shade").rows()}


def slice_rows(window: SlicesWindow, clock: Clock) -> list[Row]:
    """Return the slices, and the time in which the machine is switched."""
    found: list[Row] = []
    for kind, begin, work, end in window.slices.rows():
        ends = end <= clock.end_us
        found.append(
            {
                "part": "slice",
                "class": kind,
                **clock.clipped(begin, end),
                "text": LETTERS[kind],
                "ends": ends,
                "share": clock.share(begin, end),
            }
        )
        if work > clock.begin_us and work > begin:
            found.append({"part": "switch", "class": kind, **clock.clipped(begin, work)})
    return found


def waiting_rows(window: SlicesWindow, clock: Clock) -> list[Row]:
    """Return the queue: for every stretch in which it stays the same, a rectangle per class, one upon the other."""
    found: list[Row] = []
    for row in window.waiting.iter_rows(named=True):
        low = 0
        numbers = row["numbers"]
        words = ", ".join(map(str, numbers[:12])) + (f" and {len(numbers) - 12} more" if len(numbers) > 12 else "")
        for kind in LETTERS:
            if row[kind]:
                edges = clock.clipped(row["begin_us"], row["end_us"])
                found.append({"part": "waiting", "class": kind, **edges, "low": low, "high": low + row[kind],
                              "waiting": row[kind], "numbers": words})  # fmt: skip
                low += row[kind]
    return found


def group_rows(window: SlicesWindow, clock: Clock) -> list[Row]:
    """Return the groups: from formation to end, and whether either lies in the window."""
    found: list[Row] = []
    ends: list[int] = []
    for group, kind, formed, ended, jobs in window.groups.sort("formed_us", "group").rows():
        lane = next((place for place, end in enumerate(ends) if end <= formed), len(ends))
        ends[lane : lane + 1] = [ended]
        words = {"text": f"Group {group}: {jobs} {kind} jobs", "brief": f"{group}: {jobs} jobs", "number": str(group)}
        edges = clock.clipped(formed, ended)
        inside = {"formed": formed >= clock.begin_us, "ended": ended <= clock.end_us}
        found.append({"part": "group", "group": group, "class": kind, **edges, "lane": lane, "members": jobs, **words,
                      "share": clock.share(formed, ended), **inside})  # fmt: skip
    return found


def job_rows(window: SlicesWindow, clock: Clock) -> list[Row]:
    """Return the rectangles of the jobs, with their numbers where there is room."""
    drawn = job_rectangles(replace(window, allocations=window.allocations.rename({"class": "slice"})))
    check_count(len(drawn))
    paints = paints_of(window)
    found = []
    for row in drawn:
        share = clock.share(row["begin_us"], row["end_us"])
        tall = (row["last"] - row["first"]) / window.processors * HEIGHT
        number = str(row["job"])
        paint = paints[row["job"]]
        planned = row["group"] is not None
        found.append({
            "part": "job", "job": row["job"], "class": row["class"], "slice": row["slice"],
            "lent": "yes" if row["lent"] else "no", **clock.clipped(row["begin_us"], row["end_us"]), "first": row["first"],
            "last": row["last"], "size": row["processors"], "submitted": clock.shown(row["submit_us"]),
            "wait": clock.lasting(row["start_us"] - row["submit_us"]), "finish": clock.shown(row["finish_us"]),
            "plan": f"group {row['group']}, place {row['place']}" if planned else "none", "planned": planned,
            "text": number if tall > 10 else "", "share": share, "small": tall < 7 or share * WIDTH < 5, "colour": paint,
            "ink": ink_on(paint),
        })  # fmt: skip
    return found
