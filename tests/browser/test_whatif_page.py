"""The page of a what-if fits narrow windows and prints on a few sheets."""

import re

import pytest

from tests.slotwise.cli.command import run

MOST_SHEETS = 5


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Return the page of the drawn log in two pools, with everything that a page may have."""
    out = tmp_path_factory.mktemp("whatif") / "page.html"
    words = (
        "--pool",
        "partition=1:120",
        "--pool",
        "partition=2:8",
        "--tune",
        "mean_bounded_slowdown",
        "--load",
        "x1.1",
    )
    assert run("whatif", "drawn", *words, "--try", "easy_sjbf", "--out", out) == 0
    return out


@pytest.mark.parametrize("width", [1200, 390])
def test_the_page_is_no_wider_than_its_window(page, open_page, width):
    with open_page(page, width=width) as shown:
        assert shown.locator("figure svg").count() >= 8
        for heading in ("Which options serve these jobs best?", "4. When"):
            assert shown.get_by_role("heading", name=heading).is_visible()


def test_the_page_prints_on_a_few_sheets(page, browser, tmp_path):
    shown = browser.new_page()
    shown.goto(page.as_uri())
    shown.pdf(path=tmp_path / "page.pdf", format="A4")
    assert len(re.findall(rb"/Type /Page\b(?!s)", (tmp_path / "page.pdf").read_bytes())) <= MOST_SHEETS
