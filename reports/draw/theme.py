"""One look for every figure: fonts, light and dark configuration, and how policies are told apart.

A policy has the same colour, shape, label and place in every figure and table. Colours are those of Okabe and Ito
(Color Universal Design, 2008) that stand on white as well as on near-black; shapes repeat what colours say.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

FONT = "DejaVu Sans, Verdana, Segoe UI, Helvetica, Arial, sans-serif"
"""Font stack of figures and pages; the first name is the one pictures are made with."""

PALETTE = ("#8a8a8a", "#d98c00", "#cc79a7", "#0b7bc1", "#56b4e9", "#009e73")
"""Colours that tell kinds of things apart."""

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


def looks(labels: dict[str, str], stated: dict[str, str]) -> list[PolicyLook]:
    """Return the look of each policy, in order.

    A policy without a colour of its own gets a spare one that depends on its name; two such policies share a colour only
    when there are more of them than spare ones.

    Parameters
    ----------
    labels
        Label of each policy by its id, in the order of legends, axes and tables.
    stated
        Colours that studies state, by policy.
    """
    found: list[PolicyLook] = []
    for place, (policy, label) in enumerate(labels.items()):
        colour = stated.get(policy) or spare_colour(policy, {look.colour for look in found})
        found.append(PolicyLook(policy, label, colour, SHAPES[place % len(SHAPES)]))
    return found


def spare_colour(policy: str, taken: set[str]) -> str:
    """Choose the spare colour of a policy by its name, or the next that is not taken."""
    first = zlib.crc32(policy.encode()) % len(SPARE_COLOURS)
    ring = SPARE_COLOURS[first:] + SPARE_COLOURS[:first]
    return next((colour for colour in ring if colour not in taken), ring[0])


def config(mode: str = "light") -> dict[str, Any]:
    """Return the Vega-Lite configuration for ``light`` or ``dark`` paper."""
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
        "range": {"category": [*PALETTE, *SPARE_COLOURS], "heatmap": {"scheme": "viridis"}},
    }
