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


REACH = """() => [...document.querySelectorAll("h2")].map(heading => {
  let right = 0;
  for (let part = heading.nextElementSibling; part && part.tagName != "H2"; part = part.nextElementSibling)
    for (const one of part.querySelectorAll("svg, table, p, pre")) right = Math.max(right, one.getBoundingClientRect().right);
  return right / document.querySelector("main").getBoundingClientRect().right;
})"""
"""How far to the right each section reaches, as a share of the page's width."""

MEASURE = "() => Math.max(...[...document.querySelectorAll('p, li')].map(one => one.getBoundingClientRect().width))"


def test_every_section_uses_the_width_and_text_keeps_its_measure(page, open_page):
    with open_page(page, width=1280) as shown:
        assert min(shown.evaluate(REACH)) > 0.9
        assert shown.evaluate(MEASURE) <= 44 * 16


def test_nothing_is_cut_on_a_phone(page, open_page):
    """Neither tables nor charts scroll sideways, and no column of the scenarios is lost."""
    with open_page(page, width=390) as shown:
        assert shown.evaluate(
            "() => [...document.querySelectorAll('.wide')].every(one => one.scrollWidth <= one.clientWidth)"
        )
        assert shown.evaluate(
            "() => [...document.querySelectorAll('svg')].every(one => one.getBoundingClientRect().right <= 390)"
        )
        assert "longest wait" in shown.evaluate(
            "() => getComputedStyle(document.querySelector('.cards td:nth-child(7)'), '::before').content"
        )


def test_the_page_prints_on_a_few_sheets(page, browser, tmp_path):
    shown = browser.new_page()
    shown.goto(page.as_uri())
    shown.pdf(path=tmp_path / "page.pdf", format="A4")
    assert len(re.findall(rb"/Type /Page\b(?!s)", (tmp_path / "page.pdf").read_bytes())) <= MOST_SHEETS
