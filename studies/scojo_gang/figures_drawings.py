"""Drawings of what chapter 6 of the thesis on adaptive SCOJO prints as pictures: the matrix, speed-up, states of the load.

The sizes of Figure 6-11 are lost, so its drawing has sizes of ours. Left out are 6-1, whose contents are lost, 6-2, 6-8 and 6-9,
which show placements only, and 6-4, a time line of two events; 6-3 is the listing that the docstring of the policy follows.
"""

from collections.abc import Sequence

import altair as alt
import duckdb

from reports.draw.charts import NoData, Row, small_multiples, tips, titled
from reports.draw.marks import tint
from reports.draw.theme import ACCENT, NEUTRAL

PROCESSORS = 5
"""Processors of the machine of Figures 6-10 and 6-11."""

IDLE, RUNNING, BACKFILLED = "no job", "running", "backfilled"
COLOURS = {RUNNING: ACCENT, BACKFILLED: "#d98c00", IDLE: NEUTRAL}

SPACE_SHARING = [[("J0", 2), ("J1", 2)]]
SPACE_TIME_SHARING = [[("J0", 2), ("J1", 2)], [("J2", 3)], [("J3", 4)]]
"""The slots of Figure 6-10, each with its jobs and their sizes."""

RUN = [[("J0", 2), ("J1", 2)], [("J2", 3)], [("J3", 5)]]
QUEUE = [("J4", 4), ("J5", 3), ("J6", 1), ("J7", 5), ("J8", 2), ("J9", 4)]
"""Slots and queue of a situation as in Figure 6-11: of the six waiting jobs 6 and 8 can be backfilled. Sizes are ours."""

OPTIMUM = 8
"""Optimal size of the job whose speed-up is drawn."""


def fragmentation(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Processors without a job, and backfilling (thesis, figures 6-10 and 6-11).

    Slots take turns, a row each; columns are the {processors} processors. Whatever the slots, some processors of each have no
    job. Of the six waiting jobs {queue} the first does not fit anywhere, and {backfilled} fit behind it; they may start if they
    delay no job before them. Sizes of waiting jobs are ours, because those of figure 6-11 are lost.
    """
    _need_the_matrix(connection)
    filled, placed = backfilled(RUN, QUEUE)
    panels = {
        "Space sharing": SPACE_SHARING,
        "Space-time sharing": SPACE_TIME_SHARING,
        "Before backfilling": RUN,
        "After backfilling": filled,
    }
    found = [{"panel": panel, **cell} for panel, slots in panels.items() for cell in cells(slots, placed)]
    hover = tips(("slot", "Slot"), ("job", "Job"), ("what", "It is"))
    base = alt.Chart().encode(
        x=alt.X("from:Q", title="Processor", scale=alt.Scale(domain=[0, PROCESSORS])),
        y=alt.Y("slot:N", title=None), tooltip=hover,
    )  # fmt: skip
    boxes = base.mark_bar(stroke="white", strokeWidth=1.5).encode(x2="to:Q", color=tint("what", COLOURS))
    middle = base.transform_calculate(middle="(datum.from + datum.to) / 2")
    names = middle.mark_text(color="white", fontSize=10).encode(x="middle:Q", text="job:N")
    chart = alt.layer(boxes, names).properties(height=alt.Step(24))
    told = {"processors": PROCESSORS, "queue": listed(QUEUE), "backfilled": " and ".join(placed)}
    return titled(small_multiples(chart, found, "panel", columns=2), found, **told)


def speedup_curve(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Speed-up and efficiency by the three points of the model (thesis, figures 6-5 and 6-6).

    A job whose optimal size is {optimum}. Its speed-up is 0.80 of the ideal at half this size, 0.65 at this size and 0.50 at
    twice this size, and linear in between. Dashed: the ideal. Efficiency, speed-up over processors, falls all the way: the
    optimum is given, not found.
    """
    _need_the_matrix(connection)
    sizes = range(OPTIMUM // 2, 2 * OPTIMUM + 1)
    found: list[Row] = []
    for size in sizes:
        named = {OPTIMUM // 2: "fewest", OPTIMUM: "optimum", 2 * OPTIMUM: "most"}.get(size)
        found.append({"panel": "Speed-up", "size": size, "value": speedup(size), "ideal": size, "named": named})
        found.append({"panel": "Efficiency", "size": size, "value": speedup(size) / size, "ideal": 1, "named": named})
    hover = tips(("size", "Processors"), ("value", "Value", ".3~f"), ("named", "Point"))
    y = alt.Y("value:Q", title=None, scale=alt.Scale(zero=True))
    base = alt.Chart().encode(x=alt.X("size:Q", title="Processors"), tooltip=hover)
    ideal = base.mark_line(strokeDash=[4, 3], color=NEUTRAL).encode(y="ideal:Q")
    dots = base.transform_filter("isValid(datum.named)").mark_point(filled=True, size=70, color=ACCENT).encode(y=y)
    names = base.transform_filter("isValid(datum.named)").mark_text(dy=14, dx=12).encode(y=y, text="named:N")
    chart = alt.layer(ideal, base.mark_line(color=ACCENT).encode(y=y), dots, names).properties(height=150)
    panels = small_multiples(chart, found, "panel", columns=2)
    return titled(panels.resolve_scale(y="independent"), found, optimum=OPTIMUM)


def states_of_the_load(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """When the load is low, normal or high (thesis, figure 6-7).

    Across: processors that all jobs need, running jobs their sizes and waiting jobs their optima, very short jobs nothing.
    Upwards: how much malleable jobs could grow. Low: both fit {processors} processors at once. High: the needs exceed {level}
    slots.
    """
    _need_the_matrix(connection)
    (processors,) = connection.execute(
        "SELECT max(processors) FROM workloads WHERE workload = 'huang-1'"
    ).fetchone() or (0,)
    level = connection.execute(
        "SELECT parameters ->> 'level' FROM policies WHERE policy = 'scojo_pri_b_wa_fa'"
    ).fetchone()
    if not processors or level is None:
        raise NoData("Adaptive SCOJO is not part of this scale.")
    high = processors * int(level[0])
    most = 2 * high - processors
    found: list[Row] = [
        {"state": "low", "needed": 0, "low": 0, "high": processors},
        {"state": "low", "needed": processors, "low": 0, "high": 0},
        {"state": "normal", "needed": 0, "low": processors, "high": processors},
        {"state": "normal", "needed": processors, "low": 0, "high": processors},
        {"state": "normal", "needed": high, "low": 0, "high": processors},
        {"state": "high", "needed": high, "low": 0, "high": processors},
        {"state": "high", "needed": most, "low": 0, "high": processors},
    ]
    order = ["low", "normal", "high"]
    colour = alt.Color("state:N", title="Load", sort=order,
                       scale=alt.Scale(domain=order, range=["#009e73", NEUTRAL, "#d98c00"]))  # fmt: skip
    chart = alt.Chart(height=150).mark_area(opacity=0.6).encode(
        x=alt.X("needed:Q", title="Processors needed", scale=alt.Scale(nice=False)),
        y=alt.Y("low:Q", title="Possible growth of malleable jobs"), y2="high:Q", color=colour,
        tooltip=tips(("state", "Load")),
    )  # fmt: skip
    return titled(chart, found, processors=processors, level=int(level[0]))


def _need_the_matrix(connection: duckdb.DuckDBPyConnection) -> None:
    """Draw nothing where no strategy of the thesis was run."""
    if connection.execute("SELECT 1 FROM policies WHERE starts_with(policy, 'scojo_') LIMIT 1").fetchone() is None:
        raise NoData("No strategy of the thesis is part of this scale.")


Slots = list[list[tuple[str, int]]]


def backfilled(slots: Slots, queue: Sequence[tuple[str, int]]) -> tuple[Slots, list[str]]:
    """Put the jobs behind the head of a queue into the first slots that have processors for them; say which."""
    after, placed = [[*slot] for slot in slots], []
    for job, size in queue[1:]:
        room = (slot for slot in after if sum(held for _, held in slot) + size <= PROCESSORS)
        if (slot := next(room, None)) is not None:
            slot.append((job, size))
            placed.append(job)
    return after, placed


def cells(slots: Slots, placed: Sequence[str]) -> list[Row]:
    """Return a row for each job of each slot, and for the processors that have none."""
    found: list[Row] = []
    for number, slot in enumerate(slots):
        begin = 0
        for job, size in [*slot, ("", PROCESSORS - sum(size for _, size in slot))]:
            what = IDLE if not job else BACKFILLED if job in placed else RUNNING
            if size:
                found.append({"slot": f"T{number}", "job": job, "what": what, "from": begin, "to": begin + size})
            begin += size
    return found


def listed(queue: Sequence[tuple[str, int]]) -> str:
    """Write a queue with the sizes of its jobs."""
    return ", ".join(f"{job} ({size})" for job, size in queue)


def speedup(size: int) -> float:
    """Return the speed-up of the job that is drawn (thesis, section 6.6)."""
    least, most = OPTIMUM // 2, 2 * OPTIMUM
    at_least, at_best, at_most = 0.80 * least, 0.65 * OPTIMUM, 0.50 * most
    if size <= OPTIMUM:
        return at_least + (at_best - at_least) / (OPTIMUM - least) * (size - least)
    return at_best + (at_most - at_best) / (most - OPTIMUM) * (size - OPTIMUM)
