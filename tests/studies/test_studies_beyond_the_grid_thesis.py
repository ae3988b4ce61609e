"""How much slack, which clusters, which shapes of workflows: the studies in miniature, their figures with real columns."""

from studies.slack_and_load.figures import _regions, _told
from tests.studies.miniatures import in_miniature

BY_PANEL = {
    "slack_and_load": "slack_by_measure",
    "grid_policies": "against_submission",
    "workflow_shapes": "shapes_over_relaxed",
}


@in_miniature(*BY_PANEL)
def test_every_panel_has_its_marks(miniature):
    found = miniature.values(BY_PANEL[miniature.study.name])
    assert found
    assert {row["units"] for row in found} == {2}
    each = [sum(row["panel"] == panel for row in found) for panel in {row["panel"] for row in found}]
    assert min(each) == max(each)


def line(panel, kind, series, lows):
    """Return a line of a panel, by slack: the lower ends of its intervals."""
    return [{"panel": panel, "kind": kind, "series": series, "slack": slack, "low": low} for slack, low in lows.items()]


def test_slack_is_recommended_from_where_it_is_not_surely_worse_than_propagation():
    rows = line("a", "relaxed", "7 %", {0: 30, 100: 10, 200: -10})
    more = line("a", "relaxed", "26 %", {0: 40, 100: 20, 200: 0})
    (region,) = _regions(rows + more)
    assert (region["from"], region["until"], region["sure"]) == (150, 200, 200)
    assert _told(region).endswith("from 200 % on at all shares of tasks, from 150 % on at some.")
    (region,) = _regions(rows + line("a", "relaxed", "26 %", {0: 40, 100: 20, 200: 10}))
    assert region["sure"] is None
    assert _told(region).endswith("at others none that was tried is enough.")


def test_spare_time_is_recommended_up_to_where_it_surely_costs():
    rows = line("b", "spare time", "7 %", {0: 0, 100: -5, 200: 5})
    (region,) = _regions(rows + line("b", "spare time", "26 %", {0: 0, 100: 5, 200: 10}))
    assert (region["from"], region["until"], region["sure"]) == (0, 150, 0)
