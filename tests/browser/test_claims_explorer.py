"""The claims explorer from a file, as its reader meets it: filters, order, address, downloads, keys, a phone."""

import csv
import io
import re
import shutil
import subprocess

import pytest

TITLES = "[...document.querySelectorAll('#claims .opener')].map(e => e.textContent)"
IDS = "[...document.querySelectorAll('#claims [data-claim]')].map(e => e.dataset.claim)"
ALL = [
    "baseline/easy-beats-fcfs",
    "baseline/wait-falls-by-a-third",
    "baseline/sjf-starves",
    "baseline/loads",
    "baseline/users-gain",
    "easy_dialects/blue-log",
    "easy_dialects/once-costs",
]


@pytest.fixture
def explorer(open_page, report):
    """Open the explorer, at an address where one is given."""

    def opened(address="", **more):
        return open_page(report / "claims.html", address=address, **more)

    return opened


def facet(page, value):
    return page.locator(f".facet[data-value='{value}']")


def test_it_shows_every_claim_with_verdict_line_and_strip(explorer):
    with explorer() as page:
        assert page.evaluate(IDS) == ALL
        assert page.inner_text("#found").startswith("7 of 7 claims; 1 of the 6 on")
        row = page.locator("[data-claim='baseline/wait-falls-by-a-third']")
        assert row.locator(".strip .square").count() == 3
        assert "Conservative: reproduced" in row.locator(".strip").get_attribute("aria-label")
        assert row.locator(".number-line .printed").count() == 1
        assert "printed 33" in row.locator(".number-line").get_attribute("aria-label")
        assert page.locator("[data-claim='easy_dialects/blue-log'] .number-line").count() == 0


def test_a_mark_stands_where_its_value_lies(explorer):
    """Half of what is printed lies half way between no effect and printed; the reverse lies on the other side."""
    places = """name => { const row = document.querySelector(`[data-claim='${name}']`);
      const at = (part, key) => Number(row.querySelector(part).getAttribute(key));
      return [at('.none', 'x1'), at('.number-line circle', 'cx'), at('.printed', 'x1')]; }"""
    with explorer() as page:
        none, ours, printed = page.evaluate(places, "baseline/wait-falls-by-a-third")
        assert (ours - none) / (printed - none) == pytest.approx(20 / 33, abs=0.01)
        none, ours, printed = page.evaluate(places, "easy_dialects/once-costs")
        assert (ours - none) / (printed - none) == pytest.approx(-3 / 5, abs=0.01)
        # 40 h where 8 are printed lies beyond the line: an arrow
        assert page.locator("[data-claim='baseline/loads'] .number-line path").count() == 1


def test_facets_filter_and_count_what_they_would_leave(explorer):
    with explorer() as page:
        facet(page, "verdict:not reproduced").click()
        assert page.evaluate(IDS) == [ALL[1], ALL[2], ALL[6]]
        assert facet(page, "verdict:not reproduced").get_attribute("aria-pressed") == "true"
        assert facet(page, "verdict:reproduced").inner_text().split()[-1] == "1"
        assert facet(page, "cause:reversed").inner_text().split()[-1] == "1"
        facet(page, "verdict:cannot tell").click()
        assert page.evaluate(IDS) == [ALL[1], ALL[2], ALL[4], ALL[6]]
        facet(page, "kind:direction").click()
        assert page.evaluate(IDS) == [ALL[4], ALL[6]]
        page.click("#clear")
        assert page.evaluate(IDS) == ALL


def test_study_words_and_fitted_filter(explorer):
    with explorer() as page:
        page.select_option("select[name=study]", "easy_dialects")
        assert page.evaluate(IDS) == ALL[5:]
        page.click("#clear")
        page.fill("input[name=words]", "WAIT third")
        assert page.evaluate(IDS) == [ALL[1]]
        page.fill("input[name=words]", "load too low")  # words of the explanation
        assert page.evaluate(IDS) == [ALL[2]]
        page.fill("input[name=words]", "no such words")
        assert page.evaluate(IDS) == []
        assert page.inner_text("#found") == "0 of 7 claims"
        page.fill("input[name=words]", "")
        page.check("input[name=fitted]")
        assert page.evaluate(IDS) == [ALL[3]]


def test_claims_are_put_in_order(explorer):
    with explorer() as page:
        page.select_option("select[name=order]", "headline")
        titles = page.evaluate(TITLES)
        assert titles == sorted(titles)
        page.select_option("select[name=order]", "verdict")
        assert page.evaluate(IDS)[0] == ALL[0]
        assert page.evaluate(IDS)[-1] == ALL[5]
        page.select_option("select[name=order]", "distance")
        assert page.evaluate(IDS)[:3] == [
            ALL[3],
            ALL[6],
            ALL[1],
        ]  # 5 times, minus 3 fifths of, 20/33 of what is printed
        page.select_option("select[name=order]", "cause")
        heads = page.eval_on_selector_all("#claims .group th", "all => all.map(e => e.firstChild.textContent)")
        assert heads == [
            "reversed",
            "effect absent",
            "depends on the reading",
            "too few data",
            "lost input",
            "no cause: reproduced, or not testable",
        ]


def test_why_a_source_fails_is_three_clicks_away(explorer):
    with explorer() as page:
        page.select_option("select[name=study]", "baseline")
        facet(page, "verdict:not reproduced").click()
        page.select_option("select[name=order]", "cause")
        told = page.eval_on_selector_all(".facet[data-value^=cause]", "all => all.map(e => e.textContent.trim())")
        assert told == ["effect absent 1", "depends on the reading 1"]
        page.locator(".opener", has_text="falls by a third").click()
        text = page.inner_text(".opened")
        assert "Depends on the reading: Backfilling decides." in text
        assert "Listing 1, page 7" in text


def test_the_address_holds_the_view(explorer):
    with explorer() as page:
        page.select_option("select[name=study]", "baseline")
        facet(page, "verdict:not reproduced").click()
        facet(page, "verdict:cannot tell").click()
        page.fill("input[name=words]", "page 2 & more, 5%")
        page.fill("input[name=words]", "page")
        page.locator(".opener").first.click()
        address, seen = page.evaluate("location.hash"), page.evaluate(IDS)
        assert seen == [ALL[2], ALL[4]]
    with explorer(address) as page:
        assert page.evaluate(IDS) == seen
        assert page.input_value("input[name=words]") == "page"
        assert page.locator(".opened").count() == 1
        page.evaluate("location.hash = '#study=easy_dialects'")
        page.wait_for_function("document.querySelectorAll('#claims [data-claim]').length === 2")


@pytest.mark.parametrize(
    "address", ["#verdict=nonsense&order=none&study=unknown&open=a/b", "#%E0%A4%A&words=%", "#open=baseline/loads"]
)
def test_an_odd_address_breaks_nothing(explorer, address):
    with explorer(address) as page:
        assert re.match(r"\d of 7 claims", page.inner_text("#found"))


def test_an_open_claim_tells_all_and_its_links_lead_somewhere(explorer, report):
    with explorer() as page:
        for opener in page.locator(".opener").all():
            opener.click()
            for link in page.locator(".opened a").all():
                name, _, anchor = link.get_attribute("href").partition("#")
                assert f'id="{anchor}"' in (report / name).read_text(), link.get_attribute("href")
        page.locator(".opener", has_text="SJF starves").click()
        text = page.inner_text(".opened")
        assert "SJF starves long jobs & <wide> ones." in text
        assert "The generated load is too low." in text
        assert page.locator(".opened").count() == 1


def download(page, button):
    with page.expect_download() as found:
        page.click(button)
    return found.value.suggested_filename, found.value.path().read_text(encoding="utf-8")


def test_csv_has_the_claims_that_are_shown(explorer):
    with explorer("#study=easy_dialects") as page:
        name, text = download(page, "#csv")
    assert name == "claims_easy_dialects.csv"
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["claim"] for row in rows] == ["blue-log", "once-costs"]
    assert rows[1]["sentence"] == 'Computing it once "costs" 5 % of waits, & more.'
    assert rows[1]["verdict"] == "not reproduced"


def test_csv_says_the_verdict_under_each_reading(explorer):
    with explorer("#words=third") as page:
        _, text = download(page, "#csv")
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["readings"] == "As listed: not reproduced; Conservative: reproduced; Exact estimates: not reproduced"


def test_latex_is_a_table_in_the_style_of_booktabs(explorer):
    with explorer() as page:
        name, text = download(page, "#latex")
    assert name == "claims.tex"
    lines = text.splitlines()
    rows = [line for line in lines if line.endswith(" \\\\")]
    assert len(rows) == 1 + len(ALL)
    assert all(len(re.findall(r"(?<!\\)&", row)) == 5 for row in rows)
    assert lines.index("\\toprule") < lines.index("\\midrule") < lines.index("\\bottomrule")
    assert "33 \\% & 20 \\% (10 to 30) & not reproduced & 1 of 3" in text
    assert "$-$3.0 \\% ($-$4.0 to $-$2.0)" in text
    for line in lines:
        assert line.startswith("%") or not re.search(r"(?<!\\)[%#_~^]|[^\x00-\x7f]", line), line


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_latex_compiles(explorer, tmp_path):
    with explorer() as page:
        _, text = download(page, "#latex")
    document = "\\documentclass{article}\\usepackage{booktabs,array,longtable}\\begin{document}\n%s\\end{document}\n"
    (tmp_path / "t.tex").write_text(document % text)
    subprocess.run(["pdflatex", "-interaction=batchmode", "-halt-on-error", "t.tex"], cwd=tmp_path, check=True)


def test_it_is_used_with_keys_alone(explorer):
    with explorer() as page:
        page.focus("input[name=words]")
        page.keyboard.type("wait")
        assert len(page.evaluate(IDS)) == 4
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.className") == "opener":
                break
        first = page.evaluate("document.activeElement.textContent")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.textContent") != first
        page.keyboard.press("Enter")
        page.wait_for_selector(".opened")
        assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
        assert page.locator(".opened").count() == 1
        page.keyboard.press("Escape")
        assert page.locator(".opened").count() == 0
        assert page.evaluate("document.activeElement.className") == "opener"


def test_focus_stays_on_a_facet_that_is_pressed(explorer):
    with explorer() as page:
        facet(page, "kind:magnitude").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.dataset.value") == "kind:magnitude"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(explorer, scheme):
    outside = """() => [...document.querySelectorAll('#claims td, #claims th, .facet, .number-line, label')]
      .filter(e => e.offsetParent !== null && !e.closest('.scroll') && e.getBoundingClientRect().right > innerWidth + 1)
      .map(e => e.textContent.slice(0, 40))"""
    with explorer(width=390, height=844, scheme=scheme) as page:
        assert page.locator(".opener").first.bounding_box()["y"] < 844  # the first claim is on the first screen
        page.locator("#facet-fold summary").click()
        page.locator(".opener", has_text="three loads").click()
        assert page.evaluate(outside) == []
        assert page.locator("[data-claim='baseline/loads'] td[data-label=Verdict]").is_visible()


def test_verdicts_are_told_without_colour(explorer):
    with explorer() as page:
        signs = page.eval_on_selector_all(".facet[data-value^=verdict] .square", "all => all.map(e => e.textContent)")
        assert len(set(signs)) == len(signs) == 5
