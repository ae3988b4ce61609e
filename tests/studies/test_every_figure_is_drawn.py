"""Every figure of a study is drawn from real runs of a miniature, and every run keeps the rules."""

from reports.figures.names import own_names
from tests.paths import STUDIES
from tests.studies.miniatures import MINIATURES, in_miniature

ELSEWHERE = {"easy_dialects"}
"""Studies without a miniature: this one is drawn in tests/reports/test_figures.py."""


def test_every_study_with_figures_has_a_miniature():
    with_figures = {folder.name for folder in STUDIES.iterdir() if own_names(folder)}
    assert with_figures - ELSEWHERE == set(MINIATURES)


@in_miniature(*MINIATURES)
def test_every_figure_is_drawn_with_its_caption_filled_in(miniature):
    name = miniature.study.name
    entries, absent = miniature.entries(), MINIATURES[name].absent
    assert set(own_names(STUDIES / name)) <= set(entries)
    assert {figure for figure, entry in entries.items() if entry.get("absent")} == set(absent)
    for figure, entry in entries.items():
        if figure in absent:
            assert absent[figure] in entry["absent"]
        else:
            assert "{" not in entry["caption"]
            assert (miniature.root / "figures" / f"{figure}.svg").stat().st_size > 2000


@in_miniature(*MINIATURES)
def test_every_run_keeps_the_rules(miniature):
    found = miniature.connection.execute("SELECT sum(violations), count(*) > 0 FROM certificates").fetchone()
    assert found == (0, True)
