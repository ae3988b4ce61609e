"""Every figure draws, carries its caption, and leaves chart, picture, print and data."""

import ast
import csv
import json
import re

import altair as alt
import duckdb
import pytest

from reports.draw import charts
from reports.draw.charts import MAX_ROWS
from reports.draw.drawing import draw_figure, open_store, specification
from reports.figures.general.machine import queue_over_time
from reports.figures.names import general_names
from reports.figures.study import draw_study, figures_of
from reports.measure.store import make_tables
from scheduler_core.common.errors import StudyError
from tests.paths import PROJECT, STUDIES

DRAWN = ("baseline", "easy_dialects")


@pytest.mark.parametrize("study", DRAWN)
def test_every_figure_of_a_study_is_drawn(store, figures, study):
    entries = json.loads((figures / study / "figures.json").read_text())
    with open_store(store) as connection:
        assert [entry["name"] for entry in entries] == [
            figure.__name__ for figure in figures_of(connection, STUDIES / study)
        ]
    for entry in entries:
        assert not entry.get("absent"), entry
        spec = json.loads((figures / study / f"{entry['name']}.json").read_text())
        values = spec["data"]["values"]
        assert 0 < len(values) <= MAX_ROWS
        with (figures / study / f"{entry['name']}.csv").open() as lines:
            assert len(list(csv.DictReader(lines))) == len(values)
        assert (figures / study / f"{entry['name']}.svg").read_text().startswith("<svg")
        assert (figures / study / f"{entry['name']}.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("study", DRAWN)
def test_titles_and_captions_are_words_with_their_values_filled_in(figures, study):
    for entry in json.loads((figures / study / "figures.json").read_text()):
        assert len(entry["caption"].split()) > 12
        assert "{" not in entry["caption"]
        assert not entry["title"].endswith(".")


def test_no_axis_or_legend_shows_a_name_of_the_code(figures):
    for path in figures.glob("*/*.svg"):
        text = path.read_text()
        for word in ("easy_sjbf", "policy_label", "workload_label", "bounded_slowdown"):
            assert f">{word}" not in text, f"{path.name} shows {word}"


def test_the_same_store_gives_the_same_bytes(store, figures, tmp_path):
    draw_study(store, STUDIES / "easy_dialects", tmp_path)
    for path in sorted(tmp_path.iterdir()):
        assert path.read_bytes() == (figures / "easy_dialects" / path.name).read_bytes(), path.name


def test_the_axis_of_a_queue_in_which_nothing_waits_has_a_length(store, monkeypatch):
    found = charts.study_rows
    monkeypatch.setattr(charts, "study_rows", lambda *a, **k: [{**row, "queue": 1} for row in found(*a, **k)])
    with open_store(store) as connection:
        chart = queue_over_time(connection, "baseline")
    assert '"domainMax": 10' in json.dumps(specification(chart))


def test_a_study_without_data_says_why_instead(tmp_path):
    with duckdb.connect(str(tmp_path / "empty.duckdb")) as connection:
        make_tables(connection)
        connection.execute("INSERT INTO studies VALUES ('listed', '', '', NULL, $1, [], '{}', 0)", [general_names()])
        connection.execute("INSERT INTO studies VALUES ('easy_dialects', '', '', NULL, NULL, [], '{}', 1)")
        connection.execute("INSERT INTO studies VALUES ('plain', '', '', NULL, NULL, [], '{}', 2)")
    for study in ("listed", "easy_dialects", "plain"):
        draw_study(tmp_path / "empty.duckdb", STUDIES / study, tmp_path / study)
    assert json.loads((tmp_path / "plain" / "figures.json").read_text()) == []
    entries = [e for s in ("listed", "easy_dialects") for e in json.loads((tmp_path / s / "figures.json").read_text())]
    assert len(entries) > len(general_names())
    assert all(entry["absent"] for entry in entries)


def test_a_store_that_is_not_there_is_an_error_in_words(tmp_path):
    with pytest.raises(StudyError, match="there is no such store"):
        draw_study(tmp_path / "nowhere.duckdb", STUDIES / "baseline", tmp_path / "out")


def chart(connection):
    """Waits."""
    return alt.Chart(alt.Data(values=[{"wait": 1}])).mark_bar().encode(x="wait:Q")


def test_a_figure_without_values_in_its_caption_needs_only_its_rows(store, tmp_path):
    with open_store(store) as connection:
        assert draw_figure(connection, chart, tmp_path) == {
            "name": "chart",
            "title": "Waits",
            "caption": "",
            "printed": "",
        }
    assert (tmp_path / "chart.csv").read_text() == "wait\n1\n"


def caption_without_value(connection):
    """Waits.

    Over {units} units.
    """
    return chart(connection)


def undocumented(connection):
    return chart(connection)


def without_rows(connection):
    """Waits."""
    return alt.Chart().mark_bar().encode(x="wait:Q")


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (
            caption_without_value,
            r"caption_without_value speaks of \{units\}.*return titled\(chart, rows, units=\.\.\.\)",
        ),
        (undocumented, "undocumented has no docstring"),
        (without_rows, r"without_rows does not carry its rows.*return titled\(chart, rows\)"),
    ],
)
def test_a_figure_that_is_not_finished_is_told_what_it_lacks(figure, words, store, tmp_path):
    with open_store(store) as connection, pytest.raises(StudyError, match=words):
        draw_figure(connection, figure, tmp_path)
    assert list(tmp_path.iterdir()) == []


SPEAKS_OF_THE_SCREEN = re.compile(r"\b(?:Hover|Click|Point at|Pick|Title and answer)\b|The page of")


def test_sentences_in_double_brackets_stay_out_of_print(tmp_path):
    def chart(connection):
        """Waits.

        Means. [[Hover for
        their number.]] {further} They add.
        """
        mark = alt.Chart().mark_point().encode(x="wait:Q")
        return charts.titled(mark, [{"wait": 1}], further="[[Click to choose.]]")

    with duckdb.connect() as connection:
        entry = draw_figure(connection, chart, tmp_path)
    assert entry["caption"] == "Means. Hover for their number. Click to choose. They add."
    assert entry["printed"] == "Means. They add."


def test_what_a_caption_says_of_the_screen_stands_in_double_brackets():
    files = [*(PROJECT / "reports" / "figures").rglob("*.py"), *(PROJECT / "studies").glob("*/figures*.py")]
    docstrings = [
        (path.name, ast.get_docstring(node) or "")
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    assert sum("[[" in text for _, text in docstrings) >= 7
    unmarked = [(name, re.sub(r"\[\[.*?\]\]", "", text, flags=re.DOTALL)) for name, text in docstrings]
    assert [(name, text) for name, text in unmarked if SPEAKS_OF_THE_SCREEN.search(text)] == []
