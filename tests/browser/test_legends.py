"""Legends of the diagrams of schedules name every colour that is drawn."""

import pytest

from tests.browser.diagrams import Viewer
from tests.browser.test_schedules_page import DRAWN, STORES
from tests.reports.families import stores

RECORD = """() => {
  window.drawn = new Set();
  for (const [act, style] of [["fillRect", "fillStyle"], ["strokeRect", "strokeStyle"], ["stroke", "strokeStyle"]]) {
    const before = CanvasRenderingContext2D.prototype[act];
    CanvasRenderingContext2D.prototype[act] = function (...all) {
      window.drawn.add(this[style]);
      return before.apply(this, all);
    };
  }
}"""
"""Record every colour in which a canvas is filled or stroked; words are not."""
NAMED = """(() => {
  const found = [...viewer.form.ownerDocument.querySelectorAll(`#${arg}-legend i`)];
  const hex = (text) => "#" + text.match(/\\d+/g).map((one) => Number(one).toString(16).padStart(2, "0")).join("");
  return found.flatMap((one) => one.style.cssText.match(/rgb\\(\\d+, \\d+, \\d+\\)/g) ?? []).map(hex);
})()"""
PLAIN = "['--ink', '--soft', '--paper', '--raised'].map(slotwiseDiagrams.css)"
"""Colours of axes, edges and empty paper."""


def unnamed(viewer):
    """Draw again; return the colours that the legend does not name, where colours mean more than another job."""
    viewer.value("(window.drawn.clear(), viewer.draw())")
    legend = viewer.says("legend")
    palette = viewer.value("viewer.state.colours ?? viewer.workload().colours")
    free = set(palette) if "tell jobs apart" in legend and "Shades" not in legend else set()
    return (
        set(viewer.value("[...window.drawn]")) - set(viewer.value(NAMED, viewer.name)) - set(viewer.value(PLAIN)) - free
    )


@pytest.mark.parametrize("name", STORES)
def test_every_colour_that_is_drawn_is_in_the_legend(open_page, tmp_path, name):
    with open_page(stores.write_page(STORES[name](tmp_path)), 1280, 1600) as page:
        page.evaluate(RECORD)
        viewer = Viewer(page, name)
        viewer.wait(DRAWN)
        for policy in range(viewer.control("policy").locator("option").count()):
            viewer.choose("policy", str(policy))
            for colour in viewer.control("colour").locator("option:enabled").all():
                by = colour.get_attribute("value")
                viewer.choose("colour", by)
                if not viewer.part("legend").locator(".ramp").count():  # between the colours of a ramp lie all others
                    assert unnamed(viewer) == set(), f"policy {policy}, colour {by}"
