"""The rows of data of a printed diagram of a workflow."""

from typing import Any

from reports.diagrams.clock import Clock
from reports.diagrams.parts import WIDTH, check_count, ink_on
from reports.diagrams.windows import COLOURS
from reports.draw.charts import Row
from reports.families.grid.diagram import CAUSES, GridWindow, lateness

HEIGHT = 300
"""Height of the clusters in print, in pixels, without the gaps between them."""
GAP = 0.02
"""Gap between clusters, as a part of all their heights."""
LEAST_HEIGHT = 0.08
"""Least height of a cluster, as a part of all."""

MANY = 12
"""With more transfers, the waits from their arrival to the start of the task are not drawn."""

Heights = dict[int, tuple[float, float, int, int]]
"""By cluster: foot and height in the picture, its first processor, and its number of processors."""


def paint_of(task: int) -> str:
    """Return the colour of a task."""
    return COLOURS[(task - 1) % len(COLOURS)]


def heights_of(window: GridWindow) -> Heights:
    """Return the place of each cluster in the picture, which is 1 high; the first is on top, heights follow processors."""
    rows = window.clusters.rows()
    weights = [max(LEAST_HEIGHT, size / sum(row[3] for row in rows)) for *_, size in rows]
    whole = sum(weights) * (1 + GAP * (len(rows) - 1))
    found: Heights = {}
    top = 1.0
    for (cluster, _, first, size), weight in zip(rows, weights, strict=True):
        height = weight / whole
        found[cluster] = (top - height, height, first, size)
        top -= height + GAP
    return found


def at_height(heights: Heights, cluster: int, processor: float) -> float:
    """Return where a processor of a cluster is in the picture."""
    foot, height, first, size = heights[cluster]
    return round(foot + height * (processor - first) / size, 5)


def rows_of_window(window: GridWindow, clock: Clock) -> list[Row]:
    """Return all rows of a window."""
    heights = heights_of(window)
    found = [
        *cluster_rows(heights),
        *slice_rows(window, clock, heights),
        *block_rows(window, clock, heights),
        *task_rows(window, clock),
        *transfer_rows(window, clock, heights),
    ]
    check_count(len(found))
    return found


def cluster_rows(heights: Heights) -> list[Row]:
    """Return the ground of each cluster."""
    return [
        {"part": "cluster", "cluster": cluster, "low": foot, "high": round(foot + height, 5)}
        for cluster, (foot, height, _, _) in heights.items()
    ]


def slice_rows(window: GridWindow, clock: Clock, heights: Heights) -> list[Row]:
    """Return the slices that are wide enough to be seen."""
    return [
        {"part": "slice", "cluster": cluster, "class": kind, **clock.clipped(begin, end), "low": heights[cluster][0],
         "high": round(heights[cluster][0] + heights[cluster][1], 5)}
        for cluster, kind, begin, _, end in window.slices.rows()
        if clock.share(begin, end) * WIDTH > 2
    ]  # fmt: skip


def block_rows(window: GridWindow, clock: Clock, heights: Heights) -> list[Row]:
    """Return the jobs on the processors, the tasks of the workflow last, so that they lie above others."""
    jobs = {row["job"]: row for row in window.jobs.iter_rows(named=True)}
    found: list[Row] = []
    for row in window.allocations.iter_rows(named=True):
        job = jobs[row["job"]]
        own = job["workflow"] == window.workflow
        share = clock.share(row["begin_us"], row["end_us"])
        if share * WIDTH < 0.3 and not own:
            continue
        kind = "task" if own else "other" if job["task"] is not None else "local"
        told = {
            "part": kind, "job": row["job"], "class": job["class"], "size": row["processors"], **clock.clipped(row["begin_us"],
            row["end_us"]), "wait": clock.lasting(job["start_us"] - job["submit_us"]), "finish": clock.shown(job["finish_us"]),
            "what": "local job" if job["task"] is None else f"task {job['task']} of workflow {job['workflow']}", "share": share,
            "small": share * WIDTH < 5,
        }  # fmt: skip
        if own:
            paint = paint_of(job["task"])
            told |= {"colour": paint, "ink": ink_on(paint)}
        for first, last in zip(row["runs"][::2], row["runs"][1::2], strict=True):
            low, high = (at_height(heights, row["slot"], edge) for edge in (first, last))
            text = str(job["task"]) if own and (high - low) * HEIGHT > 10 else ""
            found.append({**told, "low": low, "high": high, "text": text})
    return sorted(found, key=lambda one: ("local", "other", "task").index(one["part"]))


def task_rows(window: GridWindow, clock: Clock) -> list[Row]:
    """Return the rows of the tasks: frames, slots in order of time, runs, and arrivals of data."""
    found: list[Row] = []
    for place, row in enumerate(window.tasks.iter_rows(named=True)):
        facts = facts_of(window, row, clock)
        base = {"task": row["task"], "colour": paint_of(row["task"]), **facts}
        if row["latest_us"] is not None:
            frame = clock.clipped(row["earliest_us"], row["latest_us"])
            found.append({"part": "frame", **base, **frame, "low": place + 0.14, "high": place + 0.86})
            found += slot_rows(window, row, clock, base, place)
        for begin, end in window.allocations.filter(job=row["job"]).select("begin_us", "end_us").rows():
            found.append({"part": "run", **base, **clock.clipped(begin, end), "low": place + 0.2, "high": place + 0.8})
        found.append({"part": "ready", **base, "begin": clock.shown(row["ready_us"]), "low": place + 0.82})
    return found


def slot_rows(window: GridWindow, row: Row, clock: Clock, base: Row, place: int) -> list[Row]:
    """Return the successive places of a task's slot, the first on top."""
    stood = window.places.filter(task=row["task"]).select("start_us", "finish_us", "cause").rows()
    step = 0.6 / max(4, len(stood))
    return [
        {"part": "slot", **base, **clock.clipped(start, finish), "low": place + 0.2 + number * step,
         "high": place + 0.2 + (number + 0.6) * step, "cause": CAUSES[cause]}
        for number, (start, finish, cause) in enumerate(stood)
        if finish > clock.begin_us and start < clock.end_us
    ]  # fmt: skip


def facts_of(window: GridWindow, row: Row, clock: Clock) -> dict[str, Any]:
    """Return the facts of a task for its tooltip."""
    names = dict(window.clusters.select("cluster", "name").rows())
    moves = max(0, window.places.filter(task=row["task"]).height - 1)
    told = {"where": names.get(row["cluster"], ""), "data": clock.shown(row["ready_us"]), "started": clock.shown(row["start_us"]),
            "finish": clock.shown(row["finish_us"])}  # fmt: skip
    if row["latest_us"] is None:
        return told
    return told | {
        "frame": f"{clock.shown(row['earliest_us']):.4g} to {clock.shown(row['latest_us']):.4g}",
        "planned": f"{clock.shown(row['planned_start_us']):.4g} to {clock.shown(row['planned_finish_us']):.4g}",
        "slides": moves,
        "late": clock.lasting(lateness(row)),
    }


def transfer_rows(window: GridWindow, clock: Clock, heights: Heights) -> list[Row]:
    """Return the transfers between rows and between processors, and the waits from their arrival to the start of the task."""
    place = {task: number for number, task in enumerate(window.tasks["task"].to_list())}
    jobs = dict(window.tasks.select("task", "job").rows())
    starts = dict(window.tasks.select("task", "start_us").rows())
    found: list[Row] = []
    for one in window.transfers.iter_rows(named=True):
        if one["from_task"] not in place or one["to_task"] not in place:
            continue
        edges = {"begin": clock.shown(one["sent_us"]), "end": clock.shown(one["arrived_us"])}
        told = {
            "from": one["from_task"],
            "to": one["to_task"],
            "takes": clock.lasting(one["arrived_us"] - one["sent_us"]),
        }
        low, high = (place[one[name]] + 0.5 for name in ("from_task", "to_task"))
        found.append({"part": "sent", **edges, **told, "low": low, "high": high})
        last, first = (ends_of(window, jobs[one[name]], heights) for name in ("from_task", "to_task"))
        if last and first:
            found.append({"part": "link", **edges, **told, "low": last[1], "high": first[0]})
            if window.transfers.height > MANY:
                continue
            waits = {"begin": edges["end"], "end": clock.shown(starts[one["to_task"]])}
            found.append({"part": "waits", **waits, "low": first[0], "high": first[0]})
    return found


def ends_of(window: GridWindow, job: int, heights: Heights) -> tuple[float, float] | None:
    """Return the heights at which a job begins and ends on the processors; None where it is not shown."""
    own = window.allocations.filter(job=job).sort("begin_us")
    if not own.height:
        return None
    rows = (own.row(0, named=True), own.row(-1, named=True))
    first, last = (at_height(heights, row["slot"], (row["runs"][0] + row["runs"][1]) / 2) for row in rows)
    return first, last
