"""Boxes of the texts of a picture, as a browser sees them."""

from dataclasses import dataclass
from itertools import pairwise

PT_PER_PX = 0.75
HAIR = 0.6
"""Points by which boxes may meet: they include the space above and below letters."""

SCRIPT = """
svg => {
  document.body.innerHTML = svg;
  const root = document.querySelector('svg'), page = root.getBoundingClientRect();
  const texts = [...root.querySelectorAll('text')].filter(
    text => getComputedStyle(text).opacity > 0 && text.textContent.trim() !== '');
  return {width: page.width, height: page.height, texts: texts.map(text => {
    const {x, y, width, height} = text.getBBox(), matrix = text.getScreenCTM();
    const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]].map(([across, down]) => {
      const point = new DOMPoint(across, down).matrixTransform(matrix);
      return [point.x - page.left, point.y - page.top];
    });
    return {text: text.textContent, role: text.parentNode.getAttribute('class') || '', corners: corners,
            size: parseFloat(getComputedStyle(text).fontSize) * page.width / root.viewBox.baseVal.width};
  })};
}
"""


@dataclass(frozen=True)
class Box:
    """A text: its role in Vega, its size and the corners of its rectangle, in points from the left and the top of the page."""

    text: str
    role: str
    size: float
    corners: tuple[tuple[float, float], ...]

    @property
    def is_mark(self) -> bool:
        """Whether the text is a mark of the chart rather than a label, a title or a legend."""
        return "role-mark" in self.role

    def lies_on(self, width: float, height: float) -> bool:
        """Return whether the text lies within a page."""
        return all(-HAIR <= x <= width + HAIR and -2 * HAIR <= y <= height + 2 * HAIR for x, y in self.corners)

    def meets(self, other: "Box") -> bool:
        """Return whether two texts overlap, turned ones too: no line parallel to a side of one separates them."""
        for one in (self, other):
            for (x, y), (u, v) in list(pairwise(one.corners))[:2]:
                length = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
                along = ((u - x) / length, (v - y) / length)
                mine, theirs = (sorted(a * along[0] + b * along[1] for a, b in box.corners) for box in (self, other))
                if min(mine[-1], theirs[-1]) - max(mine[0], theirs[0]) <= 2 * HAIR:
                    return False
        return True


def boxes_of(page, svg):
    """Return the texts of an SVG as a browser draws them, and the width and the height of its page, in points."""
    found = page.evaluate(SCRIPT, svg)
    boxes = [
        Box(
            one["text"],
            one["role"],
            one["size"] * PT_PER_PX,
            tuple((x * PT_PER_PX, y * PT_PER_PX) for x, y in one["corners"]),
        )
        for one in found["texts"]
    ]
    return boxes, found["width"] * PT_PER_PX, found["height"] * PT_PER_PX
