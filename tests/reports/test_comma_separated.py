"""CSVs that a spreadsheet opens: texts are texts, numbers are numbers."""

import csv
import io
import re

import pytest

from scheduler_core.common.comma_separated import comma_separated
from tests.paths import PROJECT

FORMULAS = (
    "=1+1",
    "+A1",
    "-A1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    '=HYPERLINK("http://x","y")',
    "-1+cmd|' /C calc'!A0",
    "-",
    "-1-2",
)
NUMBERS = ("-1", "+2.5", "-1,234", "-1e-05", "-.5")
TEXTS = ("EASY", "a-b", "−5 %", "")


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_that_begins_like_a_formula_gets_an_apostrophe(text):
    written = comma_separated([{text: text}])
    quoted = f"'{text}".replace('"', '""')
    assert written in (f"'{text}\n" * 2, f'"{quoted}"\n' * 2)


@pytest.mark.parametrize("value", [*NUMBERS, *TEXTS, -1, -2.5, 3])
def test_numbers_and_other_texts_stay(value):
    (_, values) = csv.reader(io.StringIO(comma_separated([{"a": value, "b": 1}]), newline=""))
    assert values == [str(value), "1"]


def test_missing_values_are_empty_cells():
    assert comma_separated([{"a": None, "b": 1}, {"c": 2}]) == "a,b,c\n,1,\n,,2\n"


def test_only_one_module_writes_csv():
    writes = re.compile(r"csv\.(writer|DictWriter)|write_csv|to_csv")
    packages = ("reports", "slotwise", "scheduler_core", "traces", "workflow", "studies")
    found = [
        path for package in packages for path in (PROJECT / package).rglob("*.py") if writes.search(path.read_text())
    ]
    assert found == [PROJECT / "scheduler_core" / "common" / "comma_separated.py"], (
        "write CSVs with comma_separated: texts are no formulas"
    )


def test_the_page_of_claims_has_the_same_rule():
    script = (PROJECT / "reports" / "pages" / "assets" / "claims_written.js").read_text()
    assert r"/^[=+\-@\t\r]/" in script
