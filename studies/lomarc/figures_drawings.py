"""Drawings of what the paper on LOMARC shows as pictures without data: how a partner is found (its figures 2 and 3).

Both are worked out from its rules for a few made-up jobs.
"""

import altair as alt
import duckdb

from reports.draw.charts import Row, small_multiples, tips, titled
from reports.draw.marks import tint
from reports.draw.theme import ACCENT, NEUTRAL

PROCESSORS, SLOWDOWN = 10, 1.3
"""Processors of the drawn machine, and by what the drawn pair is slowed down."""

HOLDER, PARTNER, OTHER = (6, 1000), (5, 1000), (2, 700)
"""Processors and time left, in seconds, of a running job, of the waiting one that joins it, and of another running one."""

COLOURS = {"seeks": "#d98c00", "match": ACCENT, "later": "#cc79a7", "earlier": "#009e73", "other": NEUTRAL}
"""Colours of jobs by what becomes of them: the one that seeks a partner, its partner, those that wait longer and less long."""

QUEUE = ("seeks", "later", "later", "match", "earlier", "earlier")
"""What becomes of the jobs of the drawn queue, from its head."""

WORDS = {
    "seeks": "gets processors now",
    "match": "is the best match",
    "later": "is pushed down",
    "earlier": "is pulled up",
    "other": "runs",
}


def match_among_running(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """A waiting job joins a running one (paper, figure 2).

    Job 3 asks for {asked} processors, and {free} are free. Job 1 has {held} for another {left} s and is alone on them: job
    3 starts on {asked} of these. Both are slowed by {slowdown}, so that they end at {end:,.0f} s; one after the other it
    would be {apart:,.0f} s.
    """
    end = SLOWDOWN * min(HOLDER[1], PARTNER[1]) + abs(HOLDER[1] - PARTNER[1])
    above = HOLDER[0] + OTHER[0]
    found: list[Row] = [
        block("Before", "job 1", "match", 0, HOLDER[0], HOLDER[1]),
        block("Before", "job 2", "other", HOLDER[0], above, OTHER[1]),
        block("After", "job 1", "match", PARTNER[0] / 2, HOLDER[0], end),
        block("After", "job 3", "seeks", 0, PARTNER[0] / 2, end),
        block("After", "job 2", "other", HOLDER[0], above, OTHER[1]),
    ]
    x = alt.Scale(domain=[0, 1.1 * end], nice=False)
    y = alt.Scale(domain=[0, PROCESSORS], nice=False)
    hover = tips(("job", "Job"), ("words", "It"), ("end", "Runs on for (s)", ",.0f"))
    blocks = (
        alt.Chart()
        .mark_rect(opacity=0.8, stroke="white", strokeWidth=1.5)
        .encode(
            x=alt.X("begin:Q", scale=x, title="Time from now (s)", axis=alt.Axis(tickCount=4)),
            x2="end:Q",
            y=alt.Y("low:Q", scale=y, title="Processors", axis=alt.Axis(tickCount=5)),
            y2="high:Q",
            color=coloured(found),
            tooltip=hover,
        )
    )
    names = (
        alt.Chart()
        .transform_calculate(middle="(datum.low + datum.high) / 2", across="datum.end / 2")
        .mark_text(fontWeight="bold", color="white")
        .encode(x=alt.X("across:Q", scale=x), y=alt.Y("middle:Q", scale=y), text="job:N")
    )
    chart = small_multiples(alt.layer(blocks, names).properties(height=170), found, "panel", columns=2)
    return titled(
        chart, found, asked=PARTNER[0], free=PROCESSORS - above, held=HOLDER[0], left=f"{HOLDER[1]:,}", slowdown=SLOWDOWN,
        end=end, apart=HOLDER[1] + PARTNER[1],
    )  # fmt: skip


def match_among_waiting(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """A job is pulled forward to share processors (paper, figure 3).

    The queue from its head, on the left. The job at the head gets processors; of those behind it one is the best match and
    starts on the same ones. What stands between the two waits longer, as the pair takes longer than the head alone; what
    stands behind waits less long, as the match is out of the way.
    """
    behind = [place for place, role in enumerate(QUEUE) if role not in ("seeks", "match")]
    found: list[Row] = [card("Before", place, place, 0, role) for place, role in enumerate(QUEUE)]
    found += [card("After", number, place, 0, QUEUE[place]) for number, place in enumerate(behind, 1)]
    found += [card("After", 0, place, level, role) for level, (place, role) in enumerate(pair())]
    x = alt.Scale(domain=[-0.5, len(QUEUE) - 0.5], nice=False)
    y = alt.Scale(domain=[0, 1], nice=False)
    boxes = (
        alt.Chart()
        .mark_rect(opacity=0.85, cornerRadius=4)
        .encode(
            x=alt.X("begin:Q", scale=x, axis=None),
            x2="end:Q",
            y=alt.Y("low:Q", scale=y, axis=None),
            y2="high:Q",
            color=coloured(found),
            tooltip=tips(("job", "Job"), ("words", "It")),
        )
    )
    names = (
        alt.Chart()
        .transform_calculate(middle="(datum.low + datum.high) / 2", across="(datum.begin + datum.end) / 2")
        .mark_text(fontWeight="bold", color="white")
        .encode(x=alt.X("across:Q", scale=x), y=alt.Y("middle:Q", scale=y), text="job:N")
    )
    chart = alt.layer(boxes, names).properties(height=58)
    return titled(small_multiples(chart, found, "panel", columns=1), found)


def block(panel: str, job: str, role: str, low: float, high: float, end: float) -> Row:
    """Return a job on processors from now on."""
    return {
        "panel": panel, "job": job, "role": role, "words": WORDS[role], "low": low, "high": high, "begin": 0, "end": end,
    }  # fmt: skip


def card(panel: str, place: int, number: int, level: int, role: str) -> Row:
    """Return a job of the queue at a place; the two that share one have a level each."""
    shares = panel == "After" and role in ("seeks", "match")
    low = level / 2 if shares else 0
    return {
        "panel": panel, "job": f"job {number + 1}", "role": role, "words": WORDS[role],
        "begin": place - 0.44, "end": place + 0.44, "low": low, "high": low + 0.48 if shares else 0.98,
    }  # fmt: skip


def pair() -> list[tuple[int, str]]:
    """Return place and role of the two jobs that share processors."""
    return [(QUEUE.index(role), role) for role in ("seeks", "match")]


def coloured(found: list[Row]) -> alt.Color:
    """Return the colours of what becomes of jobs, with a legend in words."""
    roles = [role for role in COLOURS if any(row["role"] == role for row in found)]
    known = {WORDS[role]: COLOURS[role] for role in roles}
    return tint("words", known, legend=alt.Legend(symbolType="square", columns=2))
