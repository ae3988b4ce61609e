"""Numbers that sources print: quoted whole, in the units of the store, and refused where a file of them is wrong."""

import re
from collections import Counter

import duckdb
import pytest

from reports.measure.printed import COLUMNS, load_printed_values, read_printed_values
from reports.measure.store import make_tables
from scheduler_core.common.errors import StudyError
from tests.paths import study_file
from workflow.plan import describe_study
from workflow.studies import read_study

HEADER = ",".join(COLUMNS)


def printed(study):
    with duckdb.connect() as connection:
        make_tables(connection)
        load_printed_values(connection, [describe_study(read_study(study_file(study)))])
        result = connection.execute("FROM printed_values")
        names = [column[0] for column in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def test_tables_are_quoted_whole():
    rows = printed("group_optimisation")
    counts = Counter(row["place"].split(",")[0] for row in rows)
    tables = {"Table 2": 8, "Table 5": 50, "Table 6": 20, "Table 7": 32, "Table 8": 15, "Table 9": 28}
    assert counts == {**tables, "section 6.4.2": 6, "section 8.1": 7, "section 9.3.1": 9}
    shares = Counter()
    for row in rows:
        if row["metric"] == "work_share":
            shares[row["workload"]] += row["value"]
    assert all(total == pytest.approx(1, abs=0.005) for total in shares.values())


def test_printed_values_are_in_the_units_of_their_metrics():
    spans: dict[str, list[float]] = {}
    for row in printed("scojo_gang"):
        spans.setdefault(row["metric"], []).append(row["value"])
        assert row["value"] == pytest.approx(row["printed"] * row["printed_scale"], rel=1e-12)
    ends = {metric: (min(values), max(values)) for metric, values in spans.items()}
    assert ends["mean_response"] == pytest.approx((17.05 * 3600, 2203.99 * 3600))
    assert ends["effective_utilisation"] == pytest.approx((0.9031, 0.9167))
    assert ends["makespan_from_first_start"] == pytest.approx((506.2 * 3600, 560.46 * 3600))


def test_a_number_keeps_its_decimals(tmp_path):
    path = tmp_path / "printed.csv"
    path.write_text(f"{HEADER}\nS,p,w,,m,all,90.60,%,5\nS,p,w,easy,m,all,2121,h,1\n")
    rows = read_printed_values(path, ["easy"], ["w"])
    assert [row[6:] for row in rows] == [(0.906, 90.6, 2, "%", 0.01, 5), (2121 * 3600, 2121, 0, "h", 3600, 1)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("S,p,w,easy,m,all,1.5", "line 2: expected 9 values; found 7"),
        ("S,p,w,eassy,m,all,1,,1", "line 2: policy: there is no 'eassy' in this study; did you mean 'easy'?"),
        ("S,p,v,easy,m,all,1,,1", "line 2: workload: there is no 'v' in this study"),
        ("S,p,w,easy,m,all,much,,1", "line 2: printed: expected a number; found 'much'"),
        ("S,p,w,easy,m,all,1,day,1", "line 2: unit: expected one of s, min, h, % or nothing; found 'day'"),
        ("S,p,w,easy,m,all,1,s,0", "line 2: draws: expected a whole number from 1; found '0'"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, message):
    path = tmp_path / "printed.csv"
    path.write_text(f"{HEADER}\n{line}\n")
    with pytest.raises(StudyError, match=re.escape(f"{path}: {message}")):
        read_printed_values(path, ["easy"], ["w"])


def test_other_columns_are_refused(tmp_path):
    path = tmp_path / "printed.csv"
    path.write_text("workload,value\n")
    with pytest.raises(StudyError, match="line 1: expected the columns source,place"):
        read_printed_values(path, [])
