"""A picture of a job's wait: the jobs that held processors meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl

from reports.draw.theme import DEALT, GRID, INK, SOFT
from scheduler_core.common.units import MICROSECONDS
from scheduler_core.decisions.words import listed
from slotwise.decisions.gantt import HEIGHT, MOST_JOBS, WIDTH, height_of, rectangles

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule
    from scheduler_core.decisions.explained import Explanation

BESIDE = 0.1
"""What the picture shows before the submission and after the start, as a share of the wait."""

OTHERS = "#b4bac4"
"""The colour of jobs that neither overtook nor are the one explained."""

STRIP = 16
"""Height of the strip of the job itself."""

WORDS = {"waits": "waits", "runs": "runs", "suspended": "is suspended"}
"""What the job does, in the title of the strip."""

TICKS = 6
"""The most ticks of the time axis."""

MINUTE, HOUR, DAY = 60, 3600, 86_400

STEPS = (
    *(1, 2, 5, 10, 15, 30),
    *(n * MINUTE for n in (1, 2, 5, 10, 15, 30)),
    *(n * HOUR for n in (1, 2, 3, 6, 12)),
    *(n * DAY for n in (1, 2, 5, 10, 20, 50, 100, 200, 500)),
)
"""Steps between ticks, in seconds."""


def wait_chart(schedule: Schedule, found: Explanation) -> alt.VConcatChart:
    """Return a picture of a job's wait in a schedule, as an Altair chart.

    The strip above shows when the job waits, runs and is suspended; below are the jobs that held processors. Jobs that overtook
    it or took its place have a colour. A grey ground shades standstills, and the time in which its class did not have its turn.
    Where slots take turns, each has a band. Of more than :data:`MOST_JOBS` jobs those are shown that held the most processor
    time.
    """
    # Where jobs take turns, start and run time do not give the finish.
    (finish,) = schedule.jobs.filter(pl.col("job") == found.job)["finish_us"]
    finish = found.start_us + min(found.runtime_us, found.estimate_us) if finish is None else finish
    pieces = [piece for piece in found.pieces(finish) if piece[1] > piece[0]]
    last = pieces[-1][0]  # it runs from then on
    beside = max(1, round(BESIDE * (last - found.submit_us or finish - found.start_us)))
    low, high = found.submit_us - beside, last + beside
    hour_us = HOUR * MICROSECONDS
    held = rectangles(schedule, None, (low / hour_us, high / hour_us)).with_columns(
        pl.col("start_us", "finish_us").clip(low, high)
    )
    table = shown_of(held, found)
    own = f"job {found.job}"
    x = time_axis(low, high)
    looks = {
        own: DEALT[0],
        found.PASSED: DEALT[1],
        "other jobs": OTHERS,
        "waits": GRID["light"],
        "suspended": SOFT["light"],
    }
    does = {"runs": own}
    stretches = [
        {**seconds(begin=begin, until=min(end, high)), "role": does.get(word, word)} for begin, end, word in pieces
    ]
    roles = {own, *table["role"], *(does.get(word, word) for *_, word in pieces)}
    looks = {role: look for role, look in looks.items() if role in roles}
    colours = alt.Scale(domain=list(looks), range=list(looks.values()))
    colour = alt.Color("role:N", scale=colours, title=None, legend=alt.Legend(symbolStrokeWidth=0))
    y, bands = processor_axis(schedule, held)
    bars = alt.Chart(alt.Data(values=table.to_dicts()), width=WIDTH, height=HEIGHT)
    bars = bars.mark_rect(stroke=INK["light"], strokeWidth=0.5, opacity=0.8).encode(
        x=x, x2="until:Q", y=y, y2="end:Q", color=colour, tooltip=["job:Q"]
    )
    still = [seconds(begin=max(begin, low), until=min(end, high)) for begin, end in found.shaded]
    ground = alt.Chart(alt.Data(values=still)).mark_rect(color=GRID["light"]).encode(x=x, x2="until:Q")
    edges = [seconds(begin=us) for us in (found.submit_us, found.start_us)]
    rules = alt.Chart(alt.Data(values=edges)).mark_rule(strokeDash=[4, 3], color=INK["light"]).encode(x=x)
    title = f"{own} {listed(list(dict.fromkeys(WORDS[word] for *_, word in pieces)))}"
    strip = alt.Chart(alt.Data(values=stretches), width=WIDTH, height=STRIP, title=title)
    strip = strip.mark_rect(stroke=INK["light"], strokeWidth=0.5).encode(x=x.axis(None), x2="until:Q", color=colour)
    lines = alt.Chart(alt.Data(values=bands)).mark_rule(color=SOFT["light"]).encode(y="first:Q")
    return alt.vconcat(strip, alt.layer(ground, bars, rules, *([lines] if bands else [])), spacing=6)


def shown_of(held: pl.DataFrame, found: Explanation) -> pl.DataFrame:
    """Return the rectangles that are drawn, with the role of their job: ``job, first, end, role, begin, until``, in seconds."""
    area = ((pl.col("finish_us") - pl.col("start_us")) * (pl.col("end") - pl.col("first"))).sum()
    most = held.group_by("job").agg(area=area).sort("area", "job", descending=[True, False]).head(MOST_JOBS)["job"]
    is_own, is_later = pl.col("job") == found.job, pl.col("job").is_in(found.passed)
    other = pl.when(is_later).then(pl.lit(found.PASSED)).otherwise(pl.lit("other jobs"))
    return held.filter(pl.col("job").is_in(most.implode()) | is_own).select(
        *("job", "first", "end"),
        role=pl.when(is_own).then(pl.lit(f"job {found.job}")).otherwise(other),
        begin=pl.col("start_us") / MICROSECONDS,
        until=pl.col("finish_us") / MICROSECONDS,
    )


def seconds(**times_us: int) -> dict[str, float]:
    """Return times in seconds."""
    return {name: us / MICROSECONDS for name, us in times_us.items()}


def time_axis(low: int, high: int) -> alt.X:
    """Return the axis of time, which tells instants as the sentences do: day and clock."""
    first, last = low / MICROSECONDS, high / MICROSECONDS
    step = next((step for step in STEPS if (last - first) / step <= TICKS), STEPS[-1])
    ticks = range(-int(-first // step) * step, int(last) + 1, step)
    clock = [
        f"pad('' + floor(datum.value % {whole} / {part}), 2, '0', 'left')" for whole, part in ((DAY, HOUR), (HOUR, 60))
    ]
    clock += [] if step % MINUTE == 0 else ["pad('' + floor(datum.value % 60), 2, '0', 'left')"]
    words = f"'day ' + floor(datum.value / {DAY}) + ', ' + " + " + ':' + ".join(clock)
    axis = alt.Axis(values=list(ticks), labelExpr=words, title="time since the workload's zero")
    return alt.X("begin:Q", axis=axis, scale=alt.Scale(domain=[first, last], nice=False, clamp=True))


def processor_axis(schedule: Schedule, held: pl.DataFrame) -> tuple[alt.Y, list[dict[str, Any]]]:
    """Return the axis of processors, and the edges of the bands of slots; none if slots do not take turns."""
    high, title = height_of(schedule, held)
    scale = alt.Scale(domain=[0, high], nice=False)
    if schedule.family.sharing != "slots":
        return alt.Y("first:Q", title=title, scale=scale), []
    size = schedule.machine.processors
    middles = [first + size / 2 for first in range(0, high, size)]
    axis = alt.Axis(values=middles, labelExpr=f"'slot ' + floor(datum.value / {size})", grid=False, title=title)
    return alt.Y("first:Q", axis=axis, scale=scale), [{"first": first} for first in range(size, high, size)]
