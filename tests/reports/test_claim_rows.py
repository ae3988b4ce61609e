"""Claims as pages show them: strips, sentences on readings, and the common number line."""

import csv
import io
import json
import shutil

import duckdb
import pytest

from reports.draw.drawing import open_store
from reports.pages.claim_rows import brief, claim_rows, data_needed, data_words, mix, on_line, study_claims
from reports.pages.claims_page import DATA, context, write_data


@pytest.fixture(scope="module")
def connection(store):
    with open_store(store) as opened:
        yield opened


@pytest.fixture(scope="module")
def claims(connection):
    return {claim["claim"]: claim for claim in claim_rows(connection)}


def one_row(value, low, high, printed=None):
    known = {"label": "row", "value": value, "low": low, "high": high, "printed": printed}
    return known | {"verdict": "reproduced", "units": 8, "draws_needed": None, "detectable": None}


def held(no_effect, bound=None, printed="", unit="", interval_kind="confidence"):
    return {"no_effect": no_effect, "bound": bound, "printed": printed, "unit": unit, "interval_kind": interval_kind}


def test_a_strip_has_a_piece_for_each_reading_the_headline_first(claims):
    strip = claims["wait-falls-by-a-third"]["strip"]
    assert [(one["label"], one["verdict"], one["headline"]) for one in strip] == [
        ("As listed", "not reproduced", True),
        ("Conservative", "reproduced", False),
        ("Exact estimates", "not reproduced", False),
    ]
    assert len(claims["once-costs"]["strip"]) == 1


def test_a_second_headline_stands_beside_the_headline(claims):
    strip = claims["wait-falls-by-a-third"]["strip"]
    assert [one["second_headline"] for one in strip] == [False, True, False]
    (second,) = claims["wait-falls-by-a-third"]["seconds"]
    assert (second["label"], second["verdict"], second["finding"]) == ("Conservative", "reproduced", "reproduced here")
    assert claims["once-costs"]["seconds"] == []


def test_what_a_verdict_depends_on_is_a_sentence(claims):
    said = {name: claim["robust"] for name, claim in claims.items()}
    assert said["easy-beats-fcfs"] == "The same verdict under all 3 readings that decide."
    assert said["wait-falls-by-a-third"] == "Depends on the reading: Backfilling decides."
    assert said["sjf-starves"] == "Reproduced under none of the 2 readings that decide."
    assert said["loads"] == "Depends on the reading; no single choice decides alone."
    assert said["users-gain"] == "Too few draws or runs to compare the readings."
    assert said["once-costs"] == ""


@pytest.mark.parametrize(
    ("rows", "unit", "words"),
    [
        ([one_row(-3.25, -4.0, -2.5)], "%", "−3.25 % (−4.00 to −2.50)"),
        ([one_row(5.0, None, None)], "", "5.00"),
        ([one_row(2.0, 1.0, 3.0), one_row(None, None, None), one_row(-40.0, -50.0, -30.0)], "h", "−40.0 to 2.00 h"),
        ([one_row(0.0, None, None), one_row(0.0, None, None)], "jobs", "0 jobs"),
        ([one_row(0.93601, 0.9, 1.0), one_row(0.93602, 0.9, 1.0)], "", "0.936"),
        ([one_row(-3.25, -4.0, 2.5)], "% less", "3.2 % more (−2.5 to 4.0)"),
        ([one_row(-3.0, None, None), one_row(4.0, None, None)], "% less", "3.00 % more to 4.00 % less"),
        ([one_row(-3.0, None, None), one_row(-4.0, None, None)], "% less", "3.00 to 4.00 % more"),
        ([one_row(None, None, None)], "%", "nothing"),
    ],
)
def test_what_was_found_is_a_value_or_a_range(rows, unit, words):
    evidence = on_line(held(0.0), rows)[1]
    claim = held(0.0) | {"verdict": "reproduced", "finding": "nothing", "unit_words": unit, "evidence": evidence}
    assert brief(claim) == words
    assert brief(claim | {"verdict": "not testable"}) == "nothing"


def test_what_was_found_looks_different_from_its_bound():
    """1.0003 is above 1: written 1.00, it would refute "at most 1" and be at most 1."""
    exact = held(None, 1.0, interval_kind="")
    _, rows = on_line(exact, [one_row(1.00031, None, None), one_row(1.0, None, None)])
    assert [row["value"] for row in rows] == ["1.0003", "1.00"]
    claim = exact | {"verdict": "reproduced in part", "finding": "", "unit_words": "times", "evidence": rows}
    assert brief(claim) == "1.00 to 1.0003 times"


def test_the_tally_counts_rows_where_there_are_several(claims):
    assert claims["loads"]["tally"] == "2 of 3"
    assert claims["easy-beats-fcfs"]["tally"] == claims["easy-beats-fcfs"]["mix"] == ""


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((20, 6, 3, 11, 0), "6 ✓ 3 ✗ 11 ?"),
        ((72, 71, 0, 1, 0), "71 ✓ 1 ?"),
        ((20, 0, 1, 19, 0), "1 ✗ 19 ?"),
        ((10, 4, 4, 0, 2), "4 ✓ 4 ✗, 2 not testable"),
        ((20, 20, 0, 0, 0), "20 of 20"),
        ((8, 6, 0, 0, 2), "6 of 8, 2 not testable"),
        ((3, 0, 0, 0, 3), "0 of 3"),
        ((1, 1, 0, 0, 0), ""),
    ],
)
def test_a_refuted_row_does_not_look_like_an_open_one(counts, told):
    columns = ("rows", "reproduced", "refuted", "undecided", "untestable")
    assert mix(dict(zip(columns, counts, strict=True))) == told


def test_no_effect_is_0_and_what_is_printed_is_1():
    line, (row,) = on_line(held(0.0), [one_row(20.0, 10.0, 30.0, 40.0)])
    assert (line, row["at"]) == ("no effect", [0.5, 0.25, 0.75])
    line, (row,) = on_line(held(1.0), [one_row(1.1, 0.9, 1.3, 0.8)])
    assert (line, row["at"]) == ("no effect", [-0.5, 0.5, -1.5])
    line, (row,) = on_line(held(None), [one_row(90.0, 60.0, 120.0, 60.0)])
    assert (line, row["at"]) == ("printed", [1.5, 1.0, 2.0])


def test_without_a_printed_number_the_line_shows_the_side_of_the_bound():
    line, rows = on_line(held(1.0), [one_row(0.8, 0.6, 1.0), one_row(1.1, 1.0, 1.2)])
    assert line == "bound"
    assert [row["at"] for row in rows] == [[-0.5, -1.0, 0.0], [0.25, 0.0, 0.5]]


def test_a_bound_is_where_the_line_begins_or_what_lies_at_1():
    line, (row,) = on_line(held(None, 10.0), [one_row(15.0, 12.0, 18.0)])
    assert (line, row["at"]) == ("bound", [0.625, 0.25, 1.0])
    line, (row,) = on_line(held(0.0, 12.0), [one_row(6.0, 3.0, 9.0)])
    assert (line, row["at"]) == ("no effect", [0.5, 0.25, 0.75])
    line, (row,) = on_line(held(0.0, 0.0), [one_row(6.0, 3.0, 8.0)])
    assert (line, row["at"]) == ("bound", [0.75, 0.375, 1.0])


def test_a_claim_on_a_direction_is_held_beside_the_number_printed_with_it():
    line, (row,) = on_line(held(0.0, 0.0, "15 %", "%"), [one_row(6.0, 3.0, 9.0)])
    assert (line, row["at"]) == ("no effect", [0.4, 0.2, 0.6])
    for printed, unit in (("15 against 9 %", "%"), ("15 %", ""), ("over 15 %", "%")):
        assert on_line(held(0.0, 0.0, printed, unit), [one_row(6.0, 3.0, 9.0)])[0] == "bound"


def test_what_has_no_place_on_the_line_is_left_out():
    line, (row,) = on_line(held(None), [one_row(3.0, None, None)])
    assert (line, row["at"]) == ("", [None, None, None])
    _, rows = on_line(held(0.0), [one_row(None, None, None, 5.0), one_row(5.0, None, None, 0.0)])
    assert [row["at"] for row in rows] == [[None, None, None], [None, None, None]]


def test_rows_of_readings_and_sensitivities_are_not_taken_for_evidence(store, tmp_path):
    copy = tmp_path / "store.duckdb"
    shutil.copy(store, copy)
    with duckdb.connect(str(copy)) as opened:
        for reading, role in (("conservative", "evidence"), ("listed", "sensitivity")):
            opened.execute(
                "INSERT INTO claim_evidence (study, claim, reading, position, label, value, verdict, role) "
                "VALUES ('baseline', 'sjf-starves', $1, 1, 'Other', 9.0, 'reproduced', $2)",
                [reading, role],
            )
        found = {claim["claim"]: claim for claim in claim_rows(opened)}
    assert [row["label"] for row in found["sjf-starves"]["evidence"]] == ["SDSC SP2"]


def test_a_sensitivity_shows_the_printed_number_beside_ours(store, tmp_path):
    copy = tmp_path / "store.duckdb"
    shutil.copy(store, copy)
    with duckdb.connect(str(copy)) as opened:
        opened.execute(
            "INSERT INTO claim_evidence (study, claim, reading, position, label, value, printed, verdict, role) "
            "VALUES ('baseline', 'sjf-starves', 'listed', 1, 'Other', 9.0, 8.5, '', 'sensitivity')"
        )
        claims = {claim["claim"]: claim for claim in study_claims(opened, "baseline")}
    (row,) = claims["sjf-starves"]["sensitivity"]
    assert (row["label"], row["texts"][0], row["printed"]) == ("Other", "9.00", "8.50")


def test_the_page_of_claims_says_each_sentence_once(connection, tmp_path):
    write_data(connection, tmp_path, claim_rows(connection))
    text = (tmp_path / DATA).read_text()
    data = json.loads(text.removeprefix("window.slotwiseClaims = ").removesuffix(";\n"))
    assert text.count("Backfilling shortens the mean wait.") == 1
    first, second = (next(c for c in data["claims"] if c["claim"] == name) for name in ("easy-beats-fcfs", "loads"))
    assert data["texts"][first["sentence"]] == "Backfilling shortens the mean wait."
    assert data["texts"][second["citation"]].startswith("Someone")
    headlines = [(claim["study"], claim["headline"]) for claim in data["claims"]]
    assert len(set(headlines)) == len(headlines)


def test_a_figure_without_data_is_not_linked(connection, tmp_path):
    def figure():
        write_data(connection, tmp_path, claim_rows(connection))
        text = (tmp_path / DATA).read_text()
        return "study-baseline.html#wait_distribution" in text

    assert not figure()
    (tmp_path / "figures" / "baseline").mkdir(parents=True)
    (tmp_path / "figures" / "baseline" / "wait_distribution.json").write_text("{}")
    assert figure()


def test_a_row_says_on_how_many_draws_its_interval_rests():
    rows = on_line(held(0.0), [one_row(1.0, 0.5, 1.5), one_row(1.0, None, None)])[1]
    assert [row["units"] for row in rows] == [8, None]


def test_all_evidence_can_be_had_as_a_table(connection, tmp_path):
    write_data(connection, tmp_path, claim_rows(connection))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "tables" / "claims.csv").read_text())))
    assert len(rows) == connection.execute("SELECT count(*) FROM claim_evidence").fetchone()[0]
    printed = next(row for row in rows if row["claim"] == "wait-falls-by-a-third")
    assert (printed["printed"], printed["low"], printed["verdict"]) == ("33.0", "10.0", "not reproduced")


def test_the_quick_scale_is_called_a_miniature():
    assert context([], miniature=True)["miniature"]
    assert not context([], miniature=False)["miniature"]


def test_the_sentence_on_further_data_counts_the_open_rows():
    """The row that needs most does not speak for all."""
    told, other = {"verdict": "cannot tell"}, {"verdict": "reproduced"}
    one = data_words({"evidence": [told, other], "data_needed": "79"})
    assert one.startswith("About 79 times the data would decide it")
    several = data_words({"evidence": [told, told, other], "data_needed": "1.5 to 79"})
    assert several.startswith("Its 2 open rows need 1.5 to 79 times the data each")


def test_rows_that_cannot_tell_say_how_many_times_their_data_they_need():
    told = {"verdict": "cannot tell", "draws_needed": 1589, "units": 20}
    assert data_needed([told]) == data_needed([told, told]) == "79"
    assert data_needed([told, {**told, "draws_needed": 30}]) == "1.5 to 79"
    assert (
        data_needed([{**told, "verdict": "not testable"}, {**told, "draws_needed": None}, {**told, "units": 0}]) == ""
    )
