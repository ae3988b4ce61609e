"""The report is a folder that stands alone, leads with its answers and hides nothing."""

import csv
import json
import re
import sys
from html.parser import HTMLParser
from types import ModuleType

import pytest

from reports.pages.diagram_page import family_pages, page_of
from reports.pages.labels import told_apart
from reports.pages.render import render_report
from reports.pages.words import coded
from scheduler_core.common.errors import ContractError
from scheduler_core.declarations.policy import policies_by_family


class Links(HTMLParser):
    """Collects what a page loads and links to."""

    def __init__(self):
        super().__init__()
        self.loaded, self.linked, self.ids = [], [], []

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.ids += [named["id"]] if named.get("id") else []
        if tag in ("script", "img", "iframe"):
            self.loaded += [named["src"]] if named.get("src") else []
        elif tag == "link":
            self.loaded.append(named["href"])
        elif tag == "a":
            self.linked.append(named["href"])


def links_of(page):
    parser = Links()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


def pages(report):
    return sorted(report.glob("*.html"))


def test_the_pages_are_there(report):
    names = {page.name for page in pages(report)}
    assert {"index.html", "study-baseline.html", "study-easy_dialects.html", "workloads.html"} <= names
    assert {"schedules.html", "checks.html", "provenance.html"} <= names
    assert any(name.startswith("workload-") for name in names)


def test_nothing_is_fetched_and_every_link_leads_somewhere(report):
    for page in pages(report):
        links = links_of(page)
        for place in links.loaded:
            assert place.startswith("data:") or (report / place).is_file(), f"{page.name} loads {place}"
        for place in links.linked:
            if place.startswith("http"):
                continue
            name, _, anchor = place.partition("#")
            target = report / name if name else page
            assert target.is_file(), f"{page.name} links to {place}"
            chosen = "=" in anchor  # what the explorer of claims is to show
            assert not anchor or chosen or anchor in links_of(target).ids, f"{page.name} links to {place}"
        assert "@import" not in page.read_text()


def test_single_runs_stand_in_files_and_not_on_pages(store, report):
    import duckdb

    for page in pages(report):
        if page.name in ("checks.html", "provenance.html", "schedules.html") or page.name.startswith("workload"):
            assert len(page.read_bytes()) < 100_000, page.name
    with duckdb.connect(str(store), read_only=True) as connection:
        known = {
            "runs": connection.execute(
                "SELECT workload, policy, replication::VARCHAR, schedule_digest FROM runs"
            ).fetchall(),
            "checks": connection.execute(
                "SELECT workload, policy, rule, sum(checked)::BIGINT::VARCHAR FROM certificates GROUP BY ALL"
            ).fetchall(),
            "policies": connection.execute("SELECT policy, parameters FROM policies").fetchall(),
        }
    columns = {
        "runs": ("workload", "policy", "replication", "schedule_digest"),
        "checks": ("workload", "policy", "rule", "checked"),
        "policies": ("policy", "parameters"),
    }
    for name, names in columns.items():
        with (report / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            written = [tuple(row[column] for column in names) for row in csv.DictReader(file)]
        assert sorted(written) == sorted(tuple(value or "" for value in row) for row in known[name]), name
        head, _, data = (report / "tables" / f"{name}.js").read_text().partition(", ")
        assert head == f'slotwiseFiles.take("tables/{name}.js"'
        offered = json.loads(data.rstrip(";)\n"))
        assert all(len(row) == len(offered["columns"]) for rows in offered["groups"].values() for row in rows)


def test_labels_that_several_share_are_told_apart():
    known = {"blue": ("BLUE", "9 jobs"), "first": ("BLUE", "2 jobs"), "kth": ("KTH", "2 jobs")}
    assert told_apart(known) == {"blue": "BLUE (9 jobs)", "first": "BLUE (2 jobs)", "kth": "KTH"}
    assert told_apart({"a": ("X", "2 jobs"), "b": ("X", "2 jobs")}) == {"a": "X (a)", "b": "X (b)"}


def test_the_front_page_leads_with_answers_then_claims_then_ratios(report):
    text = (report / "index.html").read_text()
    assert "Backfilling shortens the mean wait to 0.6 of FCFS&#39;s." in text
    assert text.index("Backfilling shortens") < text.index("Claims</h2>") < text.index("ratio-table")


def test_missing_logs_are_named_with_how_to_get_them(report):
    text = (report / "index.html").read_text()
    assert "1 of 3 logs is missing" in text
    assert text.index("1 of 3 logs is missing") < text.index('id="answers"') < text.index("Missing logs</h2>")
    assert text.count("slotwise logs fetch SDSC-BLUE-2000-4.2-cln") == 1
    study = (report / "study-baseline.html").read_text()
    assert "SDSC-BLUE is missing here, so this study is shorter" in study
    assert "No claim of this study can be judged here" not in study
    page = (report / "workload-SDSC-BLUE-2000-4.2-cln.html").read_text()
    assert "This log is missing" in page


def test_claims_show_their_verdict_and_survive_markup(report):
    text = (report / "study-baseline.html").read_text()
    assert "not reproduced" in text
    assert "&lt;wide&gt;" in text
    assert "The generated load is too low." in text


def test_a_chart_is_a_script_of_its_own_and_its_picture_stands_on_the_page(report):
    page = links_of(report / "study-baseline.html")
    pictures = [place for place in page.loaded if place.endswith(".svg")]
    assert len(pictures) >= 10
    for picture in pictures:
        script = (report / picture).with_suffix(".js").read_text()
        name, spec = re.fullmatch(r'slotwiseChart\("([^"]+)", (.*)\);\n', script).groups()
        assert name == picture.removesuffix(".svg")
        assert json.loads(spec)["data"]["values"]
        assert re.search('<svg role="img" aria-label="[^"]+"', (report / picture).read_text()[:400])


def test_the_same_store_gives_the_same_report(store, figures, windows, report, tmp_path):
    given = {"root": "results", "studies": {"baseline": "studies/baseline/study.yaml"}}
    render_report(store, figures, windows, tmp_path / "again", given)
    for path in sorted(report.rglob("*")):
        if path.is_file() and path.suffix != ".pdf":  # the converter embeds fonts in an order of its own
            assert path.read_bytes() == (tmp_path / "again" / path.relative_to(report)).read_bytes(), path.name


def test_an_older_report_is_replaced_as_a_whole(store, figures, windows, tmp_path):
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "old.html").write_text("old")
    render_report(store, figures, windows, tmp_path / "report", {"root": "results/quick"})
    assert not (tmp_path / "report" / "old.html").exists()
    for page in ("index", "claims", "study-baseline"):
        assert "quick scale" in (tmp_path / "report" / f"{page}.html").read_text(), page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report"]


def test_each_family_has_its_part_of_the_page_of_schedules(monkeypatch):
    assert set(family_pages()) == set(policies_by_family())
    assert page_of("new") is None
    monkeypatch.setitem(sys.modules, "reports.families.new.page", ModuleType("page_of_nothing"))
    with pytest.raises(ContractError, match="family new: page_of_nothing defines no PAGE"):
        page_of("new")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Run `slotwise <x>` & wait", "Run <code>slotwise &lt;x&gt;</code> &amp; wait"),
        ("the parameter ``trace_s``", "the parameter <code>trace_s</code>"),
        ("a lone ` stays", "a lone ` stays"),
        ("`easy` saves 45 % (6 to 9 %)", "<code>easy</code> saves 45\u00a0% (6 to 9\u00a0%)"),
    ],
)
def test_what_stands_between_backticks_is_code(text, html):
    assert coded(text) == html
