"""One look for every figure: fonts, light and dark configuration, and how policies are told apart.

Within a study a policy has the same colour, shape, dash, label and place in every figure and table, and no two policies have
one colour. The first colours are those of Okabe and Ito (Color Universal Design, 2008) that stand on white as well as on
near-black; shapes repeat what colours say, and tell policies apart where there are more of them than colours.
"""

from colorsys import hls_to_rgb
from dataclasses import dataclass
from functools import cache
from typing import Any

FONT = "DejaVu Sans, Verdana, Segoe UI, Helvetica, Arial, sans-serif"
"""Font stack of figures and pages; the first name is the one pictures are made with."""

PALETTE = ("#8a8a8a", "#d98c00", "#cc79a7", "#0b7bc1", "#56b4e9", "#009e73")
"""Colours that tell kinds of things apart."""

SPARE_COLOURS = ("#d55e00", "#8f6bb8", "#a3a300", "#b5544d", "#4a9ea1", "#c77d3c", "#7d8f3f", "#9a6a8a")

DEALT = ("#0b7bc1", "#d98c00", "#009e73", "#cc79a7", "#56b4e9", "#8a8a8a")
"""The colours of the palette in the order in which policies take them: neighbours are easy to tell apart."""

DASHES: tuple[tuple[int, ...], ...] = ((), (7, 3), (2, 3), (9, 3, 2, 3), (12, 5), (4, 2, 1, 2, 1, 2))
"""Dashes of lines that share a colour; the first of them is solid."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")

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
    dash: tuple[int, ...] = ()


def looks(labels: dict[str, str], stated: dict[str, str]) -> list[PolicyLook]:
    """Return the look of each policy, in order.

    Colours that studies state stay; the other policies take the colours left, in order, and then further ones
    (:func:`further_colours`). Shapes are dealt out by place, dashes to lines whose colours studies state alike.

    Parameters
    ----------
    labels
        Label of each policy by its id, in the order of legends, axes and tables.
    stated
        Colours that studies state, by policy.
    """
    taken = {stated[policy] for policy in labels if policy in stated}
    left = [colour for colour in (*DEALT, *SPARE_COLOURS) if colour not in taken]
    left += further_colours(len(labels) - len(left), (*DEALT, *SPARE_COLOURS, *sorted(taken)))
    found: list[PolicyLook] = []
    dealt = 0
    for place, (policy, label) in enumerate(labels.items()):
        colour = stated.get(policy) or left[dealt]
        dealt += policy not in stated
        alike = [look for look in found if look.colour == colour]
        ring = [SHAPES[(place + step) % len(SHAPES)] for step in range(len(SHAPES))]
        shape = next((shape for shape in ring if shape not in {look.shape for look in alike}), ring[0])
        found.append(PolicyLook(policy, label, colour, shape, DASHES[len(alike) % len(DASHES)]))
    return found


@cache
def further_colours(number: int, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return more colours, each as far as can be from those ``known`` and from one another, that stand on both papers."""
    offered = [
        f"#{round(255 * r):02x}{round(255 * g):02x}{round(255 * b):02x}"
        for lightness in (0.42, 0.54, 0.66)
        for hue in range(24)
        for r, g, b in [hls_to_rgb(hue / 24, lightness, 0.5)]
    ]
    found: list[str] = []
    for _ in range(number):
        others = [*known, *found]
        found.append(max(offered, key=lambda colour: min(apart(colour, other) for other in others)))
    return tuple(found)


def apart(one: str, other: str) -> float:
    """Say how far two colours lie apart, roughly as eyes do: red, green and blue weighted ("redmean", T. Riemersma 2007)."""
    (r, g, b), (s, h, c) = ([int(colour[place : place + 2], 16) for place in (1, 3, 5)] for colour in (one, other))
    mean = (r + s) / 2
    return (2 + mean / 256) * (r - s) ** 2 + 4 * (g - h) ** 2 + (2 + (255 - mean) / 256) * (b - c) ** 2


RAMP = {
    "light": ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"],
    "dark": ["#3a5a8c", "#2a788e", "#22a884", "#7ad151", "#fde725"],
}
"""Colours from little to much: viridis, on dark paper without its dark end, which would be lost there."""


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
        "axisXQuantitative": {"labelSeparation": 6},
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
        "title": {
            "color": ink,
            "fontSize": 12,
            "anchor": "start",
            "fontWeight": "bold",
            "offset": 8,
            "subtitleColor": soft,
            "subtitleFontSize": 11,
        },
        "line": {"strokeWidth": 2, "strokeJoin": "round"},
        "rule": {"color": soft},
        "text": {"color": ink, "fontSize": 11},
        "point": {"size": 55, "filled": True, "opacity": 1},
        "style": {
            "inked": {"stroke": ink, "color": ink},
            "filled": {"fill": ink, "stroke": ink, "color": ink, "filled": True},
            "papered": {"stroke": PAPER[mode]},
        },
        "range": {"category": [*PALETTE, *SPARE_COLOURS], "heatmap": RAMP[mode], "ramp": RAMP[mode]},
    }
