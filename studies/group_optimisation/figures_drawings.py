"""Drawings of what the thesis on group optimisation prints as pictures without data: search trees, and parts of the optimiser.

Trees and orders are worked out from the definitions of its sections 3.3.2 and 6.4.2. Its listings (Figures 1, 6 and 11) are in
the docstrings of the policies, and Figure 8 is lost.
"""

import itertools
import json
from collections.abc import Callable
from typing import Any

import altair as alt
import duckdb

from reports.draw.charts import NoData, Row, small_multiples, tips, titled
from reports.draw.marks import tint
from reports.draw.theme import ACCENT, NEUTRAL

JOBS = 4
"""Jobs of the search tree that is drawn."""

Path = tuple[int, ...]
"""At each depth, which of the remaining jobs is taken, in the heuristic's order; 0 is the heuristic's own."""

ITERATIONS: dict[str, Callable[[Path], bool]] = {
    "Both: iteration 0": lambda path: not any(path),
    "Limited discrepancy search: iteration 1": lambda path: discrepancies(path) == 1,
    "Limited discrepancy search: iteration 2": lambda path: discrepancies(path) == 2,
    "Depth-bound: iteration 1": lambda path: deepest(path) == 1,
    "Depth-bound: iteration 2": lambda path: deepest(path) == 2,
    "Depth-bound: iteration 3": lambda path: deepest(path) == 3,
}
"""Which paths each iteration takes that no earlier one has taken."""

GENERATED, GROUP = 10_000, 13
"""Orders that the thesis generates for a part of a group, and the jobs of a group such as they are in the mean."""

STEPS = (
    ("Waiting jobs of a class", "enough of them, by number, size and work"),
    ("Long-wide jobs", "level 1: every order of up to 6 of them"),
    ("Largest slowdown first", "all jobs, the long-wide ones in their order"),
    ("Parts", "a group of the largest size is halved"),
    ("Orders by discrepancies", "level 2: cut by the best so far, force-shifted"),
    ("The best three", "slowdown, then makespan, utilisation, response"),
    ("Plan", "a virtual schedule, made anew when it gets room"),
    ("End of the group", "when the finish job is done"),
)
"""The parts of the optimiser in the order in which a group meets them."""


def search_trees(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """Which orders a discrepancy search tries first (thesis, figures 1 and 2).

    The search tree of {jobs} jobs: {paths} orders from the root, on top, to the leaves. At every tree node the left-most branch
    is the heuristic's, any other is a discrepancy. Dark are the paths that an iteration is the first to take: limited
    discrepancy search takes those with one discrepancy more, the depth-bound one those whose deepest discrepancy is
    one further down.
    """
    _threshold(connection)  # refuses to draw where no groups are optimised
    paths = all_paths(JOBS)
    found: list[Row] = []
    for panel, takes in ITERATIONS.items():
        taken = {path[:depth] for path in paths if takes(path) for depth in range(1, JOBS + 1)}
        found += [
            {
                "panel": panel, "taken": edge in taken, "depth": len(edge), "child": edge[-1] + 1,
                "from_x": place(edge[:-1], paths), "from_y": len(edge) - 1, "x": place(edge, paths), "y": len(edge),
            }
            for edge in {path[:depth] for path in paths for depth in range(1, JOBS + 1)}
        ]  # fmt: skip
    found.sort(key=lambda row: ([*ITERATIONS].index(row["panel"]), row["taken"], row["y"], row["x"]))
    x = alt.Scale(domain=[-0.5, len(paths) - 0.5], nice=False)
    y = alt.Scale(domain=[JOBS, 0], nice=False)
    hover = tips(("depth", "Depth"), ("child", "Branch, from the left"))
    chart = (
        alt.Chart()
        .mark_rule(strokeCap="round")
        .encode(
            x=alt.X("from_x:Q", scale=x, axis=None),
            x2="x:Q",
            y=alt.Y("from_y:Q", scale=y, axis=None),
            y2="y:Q",
            color=alt.condition("datum.taken", alt.value(ACCENT), alt.value(NEUTRAL)),
            opacity=alt.condition("datum.taken", alt.value(1), alt.value(0.35)),
            strokeWidth=alt.condition("datum.taken", alt.value(2.5), alt.value(1)),
            tooltip=hover,
        )
        .properties(height=110)
    )
    return titled(small_multiples(chart, found, "panel"), found, jobs=JOBS, paths=len(paths))


def orders_by_discrepancies(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """How many of the orders that are generated have how many discrepancies (thesis, sections 6.4.2 and 9.3.5).

    The first {generated} orders of a group of {jobs} jobs, generated depth first as in the thesis. Orders with fewer
    discrepancies than a threshold are passed over. The thesis does not print the threshold, and says that most of the search tree
    is discarded. From {threshold} discrepancies on, as here, {evaluated} % of the orders are evaluated; from {one_less} on
    {with_one_less} % would be.
    """
    threshold = _threshold(connection)
    counts = [0] * GROUP
    for path in itertools.islice(itertools.product(*(range(GROUP - depth) for depth in range(GROUP))), GENERATED):
        counts[discrepancies(path)] += 1
    found: list[Row] = [
        {"discrepancies": number, "orders": count, "evaluated": "evaluated" if number >= threshold else "passed over"}
        for number, count in enumerate(counts)
        if count
    ]
    one_less = max(threshold - 1, 0)
    share = [100 * sum(counts[least:]) / sum(counts) for least in (threshold, one_less)]
    colour = tint("evaluated", {"passed over": "#d98c00", "evaluated": ACCENT})
    hover = tips(("discrepancies", "Discrepancies"), ("orders", "Orders", ","), ("evaluated", "Here"))
    base = alt.Chart().encode(x=alt.X("discrepancies:O", title="Discrepancies", axis=alt.Axis(labelAngle=0)))
    bars = base.mark_bar().encode(y=alt.Y("orders:Q", title="Orders"), color=colour, tooltip=hover)
    words = base.mark_text(dy=-7).encode(y="orders:Q", text=alt.Text("orders:Q", format=","))
    return titled(
        alt.layer(bars, words).properties(height=200),
        found,
        generated=f"{GENERATED:,}",
        jobs=GROUP,
        threshold=threshold,
        evaluated=f"{share[0]:.3g}",
        one_less=one_less,
        with_one_less=f"{share[1]:.3g}",
    )


def parts_of_the_optimiser(connection: duckdb.DuckDBPyConnection) -> alt.Chart:
    """What happens to a group (thesis, figures 5, 7, 10 and 11).

    From waiting jobs to a plan, and to the end of the group. On the synthetic workloads {groups} groups form in {jobs} jobs.
    {first_level} % of the groups have enough long-wide jobs for the first level. The second level makes {nodes} tree nodes per
    group.
    """
    measured = _of_a_group(connection)
    found: list[Row] = [
        {
            "number": number,
            "title": f"{number}  {title}",
            "words": words,
            "level": words[:7] if words[:5] == "level" else "other",
        }
        for number, (title, words) in enumerate(STEPS, 1)
    ]
    across = alt.Scale(domain=[0, 1], nice=False)
    down = alt.Scale(domain=[0.4, len(STEPS) + 0.6], nice=False, reverse=True)
    y = alt.Y("number:Q", scale=down, axis=None)
    colour = alt.Color(
        "level:N",
        legend=None,
        scale=alt.Scale(domain=["level 1", "level 2", "other"], range=["#d98c00", "#009e73", ACCENT]),
    )
    boxes = (
        alt.Chart()
        .transform_calculate(above="datum.number - 0.36", below="datum.number + 0.36")
        .mark_rect(fillOpacity=0.2, cornerRadius=5)
        .encode(
            x=alt.XDatum(0, scale=across, axis=None), x2=alt.X2Datum(1), y=alt.Y("above:Q", scale=down, axis=None), y2="below:Q",
            color=colour, tooltip=tips(("title", "Step"), ("words", "How")),
        )
    )  # fmt: skip
    words = alt.Chart().encode(x=alt.XDatum(0.03, scale=across, axis=None), y=y)
    heads = words.mark_text(align="left", fontWeight="bold", fontSize=11.5, dy=-7).encode(text="title:N")
    lines = words.mark_text(align="left", fontSize=10.5, dy=8).encode(text="words:N")
    arrows = (
        alt.Chart()
        .transform_filter(f"datum.number < {len(STEPS)}")
        .transform_calculate(under="datum.number + 0.5")
        .mark_text(text="↓", fontSize=12)
        .encode(x=alt.XDatum(0.5, scale=across, axis=None), y=alt.Y("under:Q", scale=down, axis=None))
    )
    return titled(alt.layer(boxes, heads, lines, arrows).properties(height=400), found, **measured)


def all_paths(jobs: int) -> list[Path]:
    """List the paths of the search tree of some jobs, from the left."""
    return list(itertools.product(*(range(jobs - depth) for depth in range(jobs))))


def discrepancies(path: Path) -> int:
    """Count the depths at which a path does not take the heuristic's branch."""
    return sum(child != 0 for child in path)


def deepest(path: Path) -> int:
    """Return the depth of a path's last discrepancy, 0 where it has none."""
    return max((depth for depth, child in enumerate(path, 1) if child), default=0)


def place(edge: Path, paths: list[Path]) -> float:
    """Return where a tree node stands: in the middle of the leaves below it."""
    below = [number for number, path in enumerate(paths) if path[: len(edge)] == edge]
    return (below[0] + below[-1]) / 2


def _threshold(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the fewest discrepancies of orders that are evaluated."""
    row = connection.execute("SELECT parameters FROM policies WHERE policy = 'pect_o'").fetchone()
    if row is None:
        raise NoData("No groups are optimised at this scale.")
    return int(json.loads(row[0])["discrepancies_from"])


def _of_a_group(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return what is measured of groups on the synthetic workloads, in the mean over their draws."""
    found = connection.execute(
        """
        SELECT avg(value) FILTER (metric = 'groups'), 100 * avg(value) FILTER (metric = 'first_level_share'),
            avg(value) FILTER (metric = 'tree_nodes_per_group'),
            (SELECT max(jobs // replications) FROM workloads WHERE workload LIKE 'seed-%')
        FROM run_values WHERE workload LIKE 'seed-%' AND policy = 'pect_o' AND scope = 'all'
        """
    ).fetchone()
    if found is None or None in found:
        raise NoData("No groups are optimised at this scale.")
    groups, first_level, nodes, jobs = found
    return {
        "groups": f"{groups:.3g}", "first_level": f"{first_level:.2g}", "nodes": f"{nodes:,.0f}", "jobs": f"{jobs:,}",
    }  # fmt: skip
