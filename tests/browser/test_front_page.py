"""The front page from a file: strips that lead to claims, and the plot of workloads and policies."""

import pytest


@pytest.fixture
def front(open_page, report):
    """Open the front page."""

    def opened(**more):
        return open_page(report / "index.html", **more)

    return opened


def test_the_answers_come_first_with_a_chart_and_a_strip(front):
    with front() as page:
        first = page.locator("#answers article").first
        assert "Backfilling shortens the mean wait to 0.6 of FCFS's." in first.inner_text()
        assert first.locator(".small-chart circle").count() == 1
        assert "0.60 (0.50 to 0.70)" in first.locator("figcaption").inner_text()
        strips = first.locator(".claim-strip")  # the headline's and the second headline's; one square a claim
        assert [strips.nth(place).locator(".square").count() for place in range(strips.count())] == [5, 5]
        assert first.bounding_box()["y"] < 300
        legend = page.inner_text(".legend")
        assert legend.startswith("6 claims")
        assert "3 not reproduced" in legend
        assert "1: no effect" in first.locator(".small-chart text").text_content()


def test_a_group_of_squares_leads_to_its_claims(front):
    with front() as page:
        group = page.locator("#answers article").first.locator(".claim-strip a[aria-label='2 not reproduced']")
        assert "SJF starves" in group.locator(".square").nth(1).get_attribute("title")
        group.click()
        page.wait_for_selector("#claims .opener")
        found = page.eval_on_selector_all("#claims [data-claim]", "all => all.map(e => e.dataset.claim)")
        assert found == ["baseline/wait-falls-by-a-third", "baseline/sjf-starves"]


def test_the_plot_switches_study_and_metric(front):
    with front() as page:
        caption = page.inner_text("#ratio-table caption")
        cells = page.locator("#ratio-table td.ratio").count()
        assert cells > 10
        assert page.locator("#ratio-table td.ratio svg circle, #ratio-table td.ratio svg path").count() == cells
        page.select_option("#ratio-controls select[name=metric]", index=1)
        assert page.inner_text("#ratio-table caption") != caption
        before = page.inner_text("#ratio-table")
        page.select_option("#ratio-controls select[name=study]", label="Dialects")
        assert page.inner_text("#ratio-table") != before
        assert "No extra processors" in page.inner_text("#ratio-table")


def test_a_cell_is_coloured_only_where_its_interval_excludes_no_difference(front):
    sides = """() => { const plot = window.slotwiseRatios[0].metrics[0];
      return [...document.querySelectorAll('#ratio-table td.ratio')].map(e => [e.className.split(' ')[1], e.textContent])}"""
    with front() as page:
        cells = page.evaluate("window.slotwiseRatios[0].metrics[0].cells")
        unsure = sum(1 for c in cells if c[3] is None or c[3] <= 1 <= c[4])
        assert sum(1 for side, _ in page.evaluate(sides) if side == "unsure") == unsure
        better = sum(1 for c in cells if c[3] is not None and c[4] < 1)
        assert sum(1 for side, _ in page.evaluate(sides) if side == "gain") == better


def test_cells_are_read_by_pointer_and_by_keys(front):
    with front() as page:
        cells = page.locator("#ratio-table td.ratio")
        cells.nth(3).hover()
        assert page.inner_text("#ratio-told") == cells.nth(3).get_attribute("aria-label")
        cells.first.focus()
        read = page.inner_text("#ratio-told")
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#ratio-told") != read
        page.keyboard.press("ArrowLeft")
        assert page.inner_text("#ratio-told") == read
        page.keyboard.press("ArrowUp")  # there is nothing above
        assert page.inner_text("#ratio-told") == read
        stops = page.eval_on_selector_all("#ratio-table td.ratio", "all => all.filter(e => e.tabIndex === 0).length")
        assert stops == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(front, scheme):
    outside = """() => [...document.querySelectorAll('#answers *, h1, h2, p, label')]
      .filter(e => e.offsetParent !== null && e.getBoundingClientRect().right > innerWidth + 1)
      .map(e => e.outerHTML.slice(0, 80))"""
    with front(width=390, height=844, scheme=scheme) as page:
        assert page.evaluate(outside) == []


def test_a_shadow_marks_columns_hidden_to_the_right_until_they_are_scrolled_to(front):
    """The right edge of a table without words, wider than its box or not, before and after scrolling."""
    with front(width=390) as page:
        page.evaluate(
            """document.querySelector("main").innerHTML = [300, 900].map((wide) =>
              `<div class="scroll"><table style="width:${wide}px"><tr><td style="height:60px"></td></tr></table></div>`
            ).join("")"""
        )

        def edge(place):
            box = page.locator(".scroll").nth(place).bounding_box()
            clip = {"x": box["x"] + box["width"] - 20, "y": box["y"] + 20, "width": 15, "height": 30}
            return page.screenshot(clip=clip)

        plain, before = edge(0), edge(1)
        page.locator(".scroll").nth(1).evaluate("box => { box.scrollLeft = box.scrollWidth; }")
        assert edge(1) == plain != before
