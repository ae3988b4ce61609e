"""Every figure of a study in miniature is laid out for a column and a page of a paper, and nothing overlaps or is cut."""

from tests.reports.papers.in_print import check_figures
from tests.studies.miniatures import in_miniature
from tests.studies.test_every_figure_is_drawn import DRAWN


@in_miniature(*DRAWN)
def test_every_figure_is_laid_out_for_a_paper(miniature, browser):
    check_figures(browser, miniature.root / "figures")
