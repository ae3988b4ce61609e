"""Every figure of a study in miniature is laid out for a paper, and nothing overlaps or is cut."""

import pytest

from reports.papers.layout import WIDTHS
from tests.reports.papers.in_print import check_figures
from tests.studies.miniatures import in_miniature
from tests.studies.test_every_figure_is_drawn import DRAWN

COLUMN, *WIDER = WIDTHS


@in_miniature(*DRAWN)
@pytest.mark.parametrize("width", [COLUMN, *(pytest.param(width, marks=pytest.mark.thorough) for width in WIDER)])
def test_every_figure_is_laid_out_for_a_paper(miniature, browser, width):
    """The narrowest leaves the least room."""
    check_figures(browser, miniature.root / "figures", {width: WIDTHS[width]})
