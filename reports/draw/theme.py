"""One look for every figure: fonts, light and dark configuration, and the one mapping of policies.

A policy has the same colour, shape, label and place in every figure and table. Colours are those of Okabe and Ito
(Color Universal Design, 2008) that stand on white as well as on near-black; shapes repeat what colours say.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

FONT = "DejaVu Sans, Verdana, Segoe UI, Helvetica, Arial, sans-serif"
"""Font stack of figures and pages; the first name is the one pictures are made with."""

REFERENCE = "easy"
"""The policy that paired comparisons are made against."""

ORDER = ("fcfs", "sjf", "priority", "easy", "easy_sjbf", "conservative")
"""Policies in the order of legends, axes and tables; others follow in the order of their study."""

COLOURS = {
    "fcfs": "#8a8a8a",
    "sjf": "#d98c00",
    "priority": "#cc79a7",
    "easy": "#0b7bc1",
    "easy_sjbf": "#56b4e9",
    "conservative": "#009e73",
}

SPARE_COLOURS = ("#d55e00", "#8f6bb8", "#a3a300", "#b5544d", "#4a9ea1", "#c77d3c", "#7d8f3f", "#9a6a8a")

SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)

INK = {"light": "#1d2430", "dark": "#e7eaf0"}
SOFT = {"light": "#5a6473", "dark": "#a4aebd"}
GRID = {"light": "#e3e7ec", "dark": "#333b47"}
PAPER = {"light": "#ffffff", "dark": "#161b22"}
NEUTRAL = "#7c8794"
"""Colour of marks that stand for no policy; readable on both papers."""
ACCENT = "#0b7bc1"


@dataclass(frozen=True, slots=True)
class PolicyLook:
    """How a policy is drawn."""

    policy: str
    label: str
    colour: str
    shape: str


def colour_of(policy: str, taken: set[str]) -> str:
    """Give the colour of a policy; one unknown to the map gets a spare colour that depends on its name alone.

    Two unknown policies of one figure never share a colour while spare ones are left.
    """
    if policy in COLOURS:
        return COLOURS[policy]
    first = zlib.crc32(policy.encode()) % len(SPARE_COLOURS)
    ring = SPARE_COLOURS[first:] + SPARE_COLOURS[:first]
    return next((colour for colour in ring if colour not in taken), ring[0])


def rank(policy: str) -> int:
    """Give the place of a policy in legends; unknown ones come after the known."""
    return ORDER.index(policy) if policy in ORDER else len(ORDER)


def looks(labels: dict[str, str]) -> list[PolicyLook]:
    """Give the look of each policy of a figure in drawing order.

    Parameters
    ----------
    labels
        Label of each policy by its id, in the study's order.
    """
    ordered = sorted(labels, key=rank)
    found: list[PolicyLook] = []
    for position, policy in enumerate(ordered):
        colour = colour_of(policy, {look.colour for look in found})
        place = rank(policy) if policy in ORDER else position
        found.append(PolicyLook(policy, labels[policy], colour, SHAPES[place % len(SHAPES)]))
    return found


def config(mode: str = "light") -> dict[str, Any]:
    """Give the Vega-Lite configuration for ``light`` or ``dark`` paper."""
    ink, soft, grid = INK[mode], SOFT[mode], GRID[mode]
    return {
        "background": PAPER[mode],
        "font": FONT,
        "padding": {"left": 4, "right": 12, "top": 4, "bottom": 4},
        "view": {"stroke": None, "continuousWidth": 300, "continuousHeight": 220},
        "axis": {
            "labelColor": soft,
            "titleColor": ink,
            "labelFontSize": 11,
            "titleFontSize": 11.5,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "gridColor": grid,
            "domainColor": soft,
            "tickColor": soft,
            "labelLimit": 230,
            "labelOverlap": "greedy",
        },
        "axisX": {"tickSize": 4},
        "axisY": {"domain": False, "ticks": False, "labelPadding": 6},
        "header": {"labelColor": ink, "labelFontSize": 12, "labelFontWeight": "bold", "titleColor": ink},
        "legend": {
            "labelColor": ink,
            "titleColor": ink,
            "labelFontSize": 11.5,
            "titleFontWeight": "normal",
            "titleFontSize": 11.5,
            "orient": "top",
            "direction": "horizontal",
            "columns": 6,
            "symbolStrokeWidth": 2.5,
            "symbolBaseFillColor": soft,
            "symbolBaseStrokeColor": soft,
            "labelLimit": 240,
        },
        "title": {"color": ink, "fontSize": 12, "anchor": "start", "fontWeight": "bold", "offset": 8},
        "line": {"strokeWidth": 2, "strokeJoin": "round"},
        "rule": {"color": soft},
        "text": {"color": ink, "fontSize": 11},
        "point": {"size": 55, "filled": True, "opacity": 1},
        "style": {
            "inked": {"stroke": ink, "color": ink},
            "filled": {"fill": ink, "stroke": ink, "color": ink, "filled": True},
            "papered": {"stroke": PAPER[mode]},
        },
        "range": {"category": [*COLOURS.values(), *SPARE_COLOURS], "heatmap": {"scheme": "viridis"}},
    }
