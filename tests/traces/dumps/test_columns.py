"""Tables whose columns a mapping names."""

import pytest

from scheduler_core.common.errors import LogError, ParameterError
from tests.traces.dumps.dump_lines import header, jobs, write
from traces.dumps.importing import import_dump
from traces.dumps.reading import ImportOptions

COLUMNS = "job=id,submit=queued,start=began,end=done,processors=cores,limit=wall,user=who,status=state"
TABLE = """id,who,queued,began,done,cores,wall,state,colour
a,mary,2024-01-10T10:00:00,2024-01-10T10:01:00,2024-01-10T11:01:00,8,2:00:00,1,red
"b,b",john,2024-01-10T10:02:00,,2024-01-10T10:04:00,4,60,CANCELLED,
c,mary,1704880800,1704880920,1704880980,2,1-00:00:00,,blue
"""


def read(tmp_path, text=TABLE, columns=COLUMNS, **options):
    return import_dump(write(tmp_path, text), ImportOptions(columns=columns, **options))


def test_named_columns_become_a_log(tmp_path):
    imported = read(tmp_path)
    unknown = [-1] * 5
    assert jobs(imported) == [
        [1, 0, 60, 3600, 8, -1, -1, -1, 7200, -1, 1, 1, *unknown, -1],
        [2, 0, 120, 60, 2, -1, -1, -1, 86400, -1, -1, 1, *unknown, -1],
        [3, 120, 120, -1, -1, -1, -1, -1, 60, -1, 5, 2, *unknown, -1],
    ]
    assert [name for kind, _, name in imported.log.names if kind == "job"] == ["a", "c", "b,b"]
    assert imported.notes == ["columns that are not used: colour"]
    assert "Conversion: slotwise import, from accounting of separated columns" in header(imported)


@pytest.mark.parametrize(
    "times",
    [
        "10.01.2024 10:00:00;10.01.2024 10:01:00;10.1.2024 11:01:00",
        "10.01.2024T10:00;10.01.2024T10:01;10.01.2024T11:01:00.5",
        "10.01.24 10:00;10.01.24 10:01;10.1.24 11:01",
        "2024/01/10 10:00:00;2024/01/10 10:01;2024/01/10T11:01:00",
        "1704880800000;1704880860000;1704884460999",
        "1704880800000.0;1704880860999.5;1704884460000.0",
        "1704880800000000;1704880860000000;1704884460999999",
        "1704880800000000000;1704880860000000000;1704884460999999999",
    ],
)
def test_dates_with_dots_and_parts_of_seconds_are_times(tmp_path, times):
    imported = read(tmp_path, f"q;b;e;n\n{times};4\n", "submit=q,start=b,end=e,processors=n")
    assert [job[:5] for job in jobs(imported)] == [[1, 0, 60, 3600, 4]]
    assert "UnixStartTime: 1704880800" in header(imported)
    assert imported.met_local is (":" in times)


@pytest.mark.parametrize("nothing", ["NaN", "NaT", "NULL", "None", ""])
def test_words_of_databases_and_pandas_for_nothing_are_no_time(tmp_path, nothing):
    row = f"2024-01-10T10:02:00,{nothing},2024-01-10T10:04:00,4,CANCELLED"
    imported = read(tmp_path, f"q,b,e,n,s\n{row}\n", "submit=q,start=b,end=e,requested=n,status=s")
    assert [job[2:4] for job in jobs(imported)] == [[120, -1]]


@pytest.mark.parametrize(
    ("times", "dates"),
    [
        ("1/10/2024 10:00:00 AM,1/10/2024 10:01 AM,1/13/2024 11:01:00 pm", ""),
        ("10/1/2024 10:00,10/01/2024T10:01:00,13/01/2024 23:01:00.5", ""),
        ("01/10/2024 10:00:00,01/10/2024 10:01:00,01/13/2024 23:01:00", "month-first"),
        ("10/01/2024 10:00:00 AM,10/01/2024 10:01:00 AM,13/01/2024 11:01:00 PM", "day-first"),
    ],
)
def test_numbers_above_12_or_an_option_tell_what_dates_with_slashes_begin_with(tmp_path, times, dates):
    imported = read(tmp_path, f"q,b,e,n\n{times},4\n", "submit=q,start=b,end=e,processors=n", dates=dates)
    assert [job[:5] for job in jobs(imported)] == [[1, 0, 60, 3 * 86400 + 13 * 3600, 4]]
    assert "UnixStartTime: 1704880800" in header(imported)


@pytest.mark.parametrize(("dates", "wait"), [("day-first", 86400), ("month-first", 31 * 86400)])
def test_the_option_decides_where_the_numbers_do_not(tmp_path, dates, wait):
    row = "3/1/2024 12:00 AM,4/1/2024 12:00 AM,4/1/2024 12:00 PM,4"
    imported = read(tmp_path, f"q,b,e,n\n{row}\n", "submit=q,start=b,end=e,processors=n", dates=dates)
    assert [job[2:4] for job in jobs(imported)] == [[wait, 43200]]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (
            "10/01/2024 10:00",
            "11/01/2024 10:00",
            r"10/01/2024 10:00 in line 2 may have the day or the month first, .*--dates",
        ),
        (
            "13/01/2024 10:00",
            "01/13/2024 10:00",
            r"13/01/2024 10:00 in line 2 has the day first, and 01/13/2024 10:00 in line 3",
        ),
    ],
)
def test_dates_that_may_mean_two_days_ask_for_the_option(tmp_path, first, second, words):
    rows = "".join(f"{date},{date},{date},4\n" for date in (first, second))
    with pytest.raises(LogError, match=words):
        read(tmp_path, f"q,b,e,n\n{rows}", "submit=q,start=b,end=e,processors=n")


@pytest.mark.parametrize(
    "time", ["13/13/2024 10:00", "1/31/2024 13:00 PM", "1/31/2024 0:00 AM", "1/31.2024 10:00", "1/31/24 10:00"]
)
def test_what_is_no_date_is_rejected_with_its_text(tmp_path, time):
    text = f"q,b,e,n\n{time},1/31/2024 10:00,1/31/2024 11:00,4\n1/31/2024 9:00,1/31/2024 10:00,1/31/2024 11:00,4\n"
    accounting = read(tmp_path, text, "submit=q,start=b,end=e,processors=n", dates="month-first").accounting
    assert (accounting.kept, accounting.rejected) == (1, {"bad_time": 1})
    assert accounting.examples["bad_time"][0]["found"] == time


def test_a_state_in_words_of_its_own_is_told_as_it_stands(tmp_path):
    text = "q,b,e,n,s\n" + ",".join(["2024-01-10T10:02:00"] * 3) + ",4,Fehler\n"
    with pytest.raises(LogError, match=r"a state that is not known; found Fehler\)"):
        read(tmp_path, text, "submit=q,start=b,end=e,processors=n,status=s")


def test_waits_do_in_place_of_starts(tmp_path):
    text = 'q;"wait, h";t;n;s\n2024-01-10T10:00:00;0:02:00;60;4;1\n2024-01-10T10:00:00;;0;4;CANCELLED\n'
    imported = read(tmp_path, text, 'submit=q,wait="wait, h",runtime=t,processors=n,status=s')
    assert [job[1:5] for job in jobs(imported)] == [[0, 120, 60, 4], [0, -1, -1, -1]]


def test_run_times_do_in_place_of_ends(tmp_path):
    text = "q;b;t;n\n1704880800;1704880860;90;4\n1704880800;1704880860;0:01:30;4\n"
    imported = read(tmp_path, text, "submit=q,start=b,runtime=t,processors=n")
    assert [job[:5] for job in jobs(imported)] == [[1, 0, 60, 90, 4], [2, 0, 60, 90, 4]]
    assert "no limit among --columns" in imported.notes[0]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *[("1d 3h", 97200), ("3h 50m 39s", 13839), ("2 hours, 5 minutes", 7500), ("1h2s", 3602), ("90m", 5400)],
        *[("P1DT3H", 97200), ("PT90M", 5400), ("1 day, 3:00:00", 97200), ("0 days 00:01:30.5", 90), ("45.5s", 45)],
        *[("90,5", 90), ("3602,00", 3602), ("1-03", 97200)],
    ],
)
def test_durations_of_other_programs_are_read(tmp_path, text, seconds):
    table = f"q;b;t;n;w\n1704880800;1704880860;{text};4,0;{text}\n"
    imported = read(tmp_path, table, "submit=q,start=b,runtime=t,processors=n,limit=w")
    assert [(*job[3:5], job[8]) for job in jobs(imported)] == [(seconds, 4, seconds)]


@pytest.mark.parametrize("text", ["3,600", "P", "1h 1d", "1 year", "4 5", "1d-3h"])
def test_what_is_no_duration_is_rejected_with_its_text(tmp_path, text):
    table = f"q;b;t;n\n1704880800;1704880860;{text};4\n1704880800;1704880860;60;4\n"
    accounting = read(tmp_path, table, "submit=q,start=b,runtime=t,processors=n").accounting
    assert (accounting.jobs, accounting.rejected) == (1, {"bad_time": 1})
    assert accounting.examples["bad_time"][0]["found"] == text


@pytest.mark.parametrize(("limit", "told"), [("2.00", True), ("2h", False), ("", False)])
def test_limits_far_below_the_run_times_are_told(tmp_path, limit, told):
    table = "q;b;t;n;w\n" + f"1704880800;1704880860;3600;4;{limit}\n" * 3
    notes = read(tmp_path, table, "submit=q,start=b,runtime=t,processors=n,limit=w").notes
    assert any(note.startswith("3 of 3 jobs ran over twice as long as their limit") for note in notes) is told


@pytest.mark.parametrize(("submit", "told"), [("45292.5", True), ("1704880800", False)])
def test_days_of_a_spreadsheet_are_no_seconds(tmp_path, submit, told):
    notes = read(tmp_path, f"q;b;e;n\n{submit};{submit};{submit};4\n", "submit=q,start=b,end=e,processors=n").notes
    assert any("the first job was submitted on 1970-01-01" in note for note in notes) is told


def test_a_job_without_start_or_state_is_rejected(tmp_path):
    text = "q,b,e,n\n1704880800,,1704880860,4\n1704880800,1704880860,1704880900,4\n"
    accounting = read(tmp_path, text, "submit=q,start=b,end=e,processors=n").accounting
    assert (accounting.kept, accounting.rejected) == (1, {"no_start": 1})


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ("submit", "expected meaning=column, such as submit=submitted; found 'submit'"),
        ("submitted=queued", "no column can hold 'submitted'; did you mean 'submit'"),
        ("submit=a,submit=b", "submit is given twice"),
        ("submit=queued", "a log needs start or wait, end or runtime, processors or requested, too"),
        ("submit=a,start=b,wait=c,end=d,processors=e", "start and wait both say"),
        ('submit="a,start=b', "expected a second quote"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused(tmp_path, columns, words):
    with pytest.raises(ParameterError, match=f"--columns: {words}"):
        read(tmp_path, columns=columns)


def test_a_column_that_is_not_there_is_named(tmp_path):
    with pytest.raises(LogError, match="no column born; the first line names id, who, queued"):
        read(tmp_path, columns=COLUMNS.replace("queued", "born"))
