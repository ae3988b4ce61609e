"""Every figure of a study is drawn from real runs of a miniature, every run keeps the rules, and claims find rows."""

from reports.figures.names import own_names
from tests.paths import STUDIES
from tests.reports.vega import complaints, unreadable_axes
from tests.studies.miniatures import MINIATURES, in_miniature, miniature_of

ELSEWHERE = {"easy_dialects", "published_schedules"}
"""The first is drawn in tests/reports/test_figures.py, the last needs published schedules."""

DRAWN = sorted({folder.name for folder in STUDIES.iterdir() if own_names(folder)} - ELSEWHERE)


@in_miniature(*DRAWN)
def test_every_figure_is_drawn_with_its_caption_filled_in(miniature):
    name = miniature.study.name
    entries, absent = miniature.entries(), miniature_of(name).absent
    assert set(own_names(STUDIES / name)) <= set(entries)
    assert {figure for figure, entry in entries.items() if entry.get("absent")} == set(absent)
    for figure, entry in entries.items():
        if figure in absent:
            assert absent[figure] in entry["absent"]
        else:
            assert "{" not in entry["caption"]
            assert (miniature.root / "figures" / f"{figure}.svg").stat().st_size > 2000
    assert complaints([miniature.root / "figures"]) == {}
    assert unreadable_axes(miniature.root / "figures") == {}


@in_miniature(*DRAWN)
def test_every_run_keeps_the_rules(miniature):
    found = miniature.connection.execute("SELECT sum(violations), count(*) > 0 FROM certificates").fetchone()
    assert found == (0, True)


@in_miniature(*(name for name, small in MINIATURES.items() if small.untested is not None))
def test_claims_find_rows(miniature):
    claims = {claim.id for claim in miniature.study.claims}
    assert claims - miniature.judged() == miniature_of(miniature.study.name).untested
