"""A picture of a job's wait: the jobs that held processors meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import polars as pl

from reports.draw.theme import DEALT, GRID, INK
from scheduler_core.common.units import MICROSECONDS
from slotwise.decisions.gantt import HEIGHT, MOST_JOBS, WIDTH, height_of, rectangles
from slotwise.decisions.words import unit_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Schedule
    from slotwise.decisions.explained import Explanation

BESIDE = 0.1
"""What the picture shows before the submission and after the start, as a share of the wait."""

OTHERS = "#b4bac4"
"""The colour of jobs that neither overtook nor are the one explained."""

STRIP = 16
"""Height of the strip of the job itself."""


def wait_chart(schedule: Schedule, found: Explanation) -> alt.VConcatChart:
    """Return a picture of a job's wait in a schedule, as an Altair chart.

    The strip above shows when the job waits and when it runs; below are the jobs that held processors. Jobs that overtook it have
    a colour. A grey ground shades standstills, and the time in which its class did not have its turn. Of more than
    :data:`MOST_JOBS` jobs those are shown that held the most processor time.
    """
    finish = schedule.jobs.filter(pl.col("job") == found.job)["finish_us"][
        0
    ]  # start and run time tell less, where jobs take turns
    finish = found.start_us + min(found.runtime_us, found.estimate_us) if finish is None else finish
    lasting = found.wait_us or finish - found.start_us
    beside = max(1, round(BESIDE * lasting))
    low, high = found.submit_us - beside, found.start_us + beside
    unit, length = unit_of((high - low) / MICROSECONDS)
    scale = MICROSECONDS * length
    hour_us = 3600 * MICROSECONDS
    held = rectangles(schedule, None, (low / hour_us, high / hour_us)).with_columns(
        pl.col("start_us", "finish_us").clip(low, high)
    )
    area = ((pl.col("finish_us") - pl.col("start_us")) * (pl.col("end") - pl.col("first"))).sum()
    most = held.group_by("job").agg(area=area).sort("area", "job", descending=[True, False]).head(MOST_JOBS)["job"]
    own, overtook, other = f"job {found.job}", "overtook it", "other jobs"
    is_own, is_later = pl.col("job") == found.job, pl.col("job").is_in(found.overtook)
    role = pl.when(is_own).then(pl.lit(own)).when(is_later).then(pl.lit(overtook)).otherwise(pl.lit(other))
    table = held.filter(pl.col("job").is_in(most.implode()) | (pl.col("job") == found.job)).select(
        "job", "first", "end", role=role, begin=pl.col("start_us") / scale, until=pl.col("finish_us") / scale
    )
    x = alt.X(
        "begin:Q", title=f"time, {unit}", scale=alt.Scale(domain=[low / scale, high / scale], nice=False, clamp=True)
    )
    colours = alt.Scale(domain=[own, overtook, other, "waits"], range=[DEALT[0], DEALT[1], OTHERS, GRID["light"]])
    colour = alt.Color("role:N", scale=colours, title=None)
    high_end, title = height_of(schedule, held)
    y = alt.Y("first:Q", title=title, scale=alt.Scale(domain=[0, high_end], nice=False))
    bars = alt.Chart(alt.Data(values=table.to_dicts()), width=WIDTH, height=HEIGHT)
    bars = bars.mark_rect(stroke=INK["light"], strokeWidth=0.5, opacity=0.8).encode(
        x=x, x2="until:Q", y=y, y2="end:Q", color=colour, tooltip=["job:Q"]
    )
    still = [{"begin": max(begin, low) / scale, "until": min(end, high) / scale} for begin, end in found.shaded]
    ground = alt.Chart(alt.Data(values=still)).mark_rect(color=GRID["light"]).encode(x=x, x2="until:Q")
    edges = [{"begin": us / scale} for us in (found.submit_us, found.start_us)]
    rules = alt.Chart(alt.Data(values=edges)).mark_rule(strokeDash=[4, 3], color=INK["light"]).encode(x=x)
    stretches = [
        {"begin": found.submit_us / scale, "until": found.start_us / scale, "role": "waits"},
        {"begin": found.start_us / scale, "until": min(finish, high) / scale, "role": own},
    ]
    strip = alt.Chart(alt.Data(values=stretches), width=WIDTH, height=STRIP, title=f"{own} waits, then runs")
    strip = strip.mark_rect(stroke=INK["light"], strokeWidth=0.5).encode(x=x.axis(None), x2="until:Q", color=colour)
    return alt.vconcat(strip, alt.layer(ground, bars, rules), spacing=6)
