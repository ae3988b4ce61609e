"""Names of users, groups, queues and partitions: shown where they are given, and left out of an anonymous log."""

import json

import polars as pl
import pytest

from tests.slotwise.cli.command import refused, run
from tests.traces.dumps.dump_lines import dump, row, write

NAMES = "kind,number,name\nuser,1,mary\nuser,2,'=cmd()\nqueue,1,<b>short</b>\nexecutable,1,solve\njob,1,100\n"


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a log of two users and queues, a dump and names, in which every command is given."""
    monkeypatch.chdir(tmp_path)
    line = "{0} {1} 5 {2} {5} -1 -1 {5} 9000 -1 1 {3} 1 1 {4} -1 -1 -1\n"
    rows = (line.format(k + 1, 600 * k, 700 + k, 1 + k % 2, 1 + k % 3, 16 if k % 5 == 0 else 7) for k in range(300))
    (tmp_path / "own.swf").write_text("; MaxProcs: 16\n" + "".join(rows))
    (tmp_path / "names.csv").write_text(NAMES)
    write(tmp_path, dump(row(), row(JobID="101", JobIDRaw="101", User="", State="SECRET")), "elm-2024.txt")
    return tmp_path


def test_the_page_and_its_tables_show_names(desk):
    words = ("whatif", "own.swf", "--load", "x1.3")
    assert run(*words, "--names", "names.csv", "--out", "named.html") == 0
    assert run(*words, "--out", "plain.html") == 0
    named, plain = ((desk / f"{page}.html").read_text() for page in ("named", "plain"))
    assert "mary" in named
    assert "&lt;b&gt;short&lt;/b&gt;" in named  # a name is text, whatever it holds
    assert "<b>short" not in named
    assert "--names names.csv" in named
    assert "Users are numbered as in the log" not in named
    assert "mary" not in plain
    tables = [pl.read_parquet(desk / f"{page}_tables/groups.parquet") for page in ("named", "plain")]
    of_kind = [
        dict(table.group_by("kind", maintain_order=True).agg(pl.col("group").unique(maintain_order=True)).rows())
        for table in tables
    ]
    assert (of_kind[0]["user"], of_kind[1]["user"]) == (["mary", "=cmd()"], ["1", "2"])
    assert (of_kind[0]["queue"], of_kind[1]["queue"]) == (["<b>short</b>", "2", "3"], ["1", "2", "3"])
    assert tables[0].drop("group").equals(tables[1].drop("group"))
    assert ",mary," in (desk / "named_tables/recorded.csv").read_text()
    assert ",'=cmd()," in (desk / "named_tables/recorded.csv").read_text()


def test_the_page_of_pools_names_them(desk):
    pools = ("--pool", "queue=1,2:8", "--pool", "queue=3:8")
    assert run("whatif", "own.swf", *pools, "--load", "x1.3", "--names", "names.csv", "--out", "pools.html") == 0
    assert "queue 1 (&lt;b&gt;short&lt;/b&gt;), 2 on 8, queue 3 on 8" in (desk / "pools.html").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("user,name\n1,mary\n", "names.csv: expected the columns kind, number, name; found user, name"),
        ("kind,number,name\nuser,one,mary\n", "names.csv, line 2: expected a number of the log; found 'one'"),
        ("kind,number,name\njob,1,100\n", "names.csv: no line names a user"),
        (None, "there is no file 'names.csv'"),
    ],
)
def test_what_names_nobody_is_refused(desk, capsys, text, said):
    (desk / "names.csv").unlink()
    if text is not None:
        (desk / "names.csv").write_text(text)
    assert said in refused(capsys, "whatif", "own.swf", "--names", "names.csv")
    assert not (desk / "whatif.html").exists()


def test_the_names_that_import_writes_are_those_that_whatif_reads(desk):
    from slotwise.planning.names import read_names

    assert run("import", "elm-2024.txt", "--out", "elm.swf", "--names", "elm.csv") == 0
    assert read_names(desk / "elm.csv") == {
        "user": {"1": "mary"},
        "group": {"1": "physics"},
        "queue": {"1": "normal"},
        "partition": {"1": "batch"},
    }


def test_an_anonymous_log_has_the_same_jobs_and_no_name(desk):
    assert run("import", "elm-2024.txt", "--out", "plain.swf") == 0
    assert run("import", "elm-2024.txt", "--out", "anonymous.swf", "--anonymous") == 0
    plain, anonymous = ((desk / f"{name}.swf").read_text() for name in ("plain", "anonymous"))
    jobs = [[line for line in text.splitlines() if not line.startswith(";")] for text in (plain, anonymous)]
    assert jobs[0] == jobs[1]
    assert "; MaxQueues: 1" in anonymous
    accounting = (desk / "anonymous.swf.accounting.json").read_text()
    for name in ("elm", "mary", "physics", "normal", "batch", "solve", "SECRET"):
        assert name not in anonymous
        assert name not in accounting
    assert all(name in plain for name in ("elm", "normal", "batch"))
    counts = [json.loads((desk / f"{name}.swf.accounting.json").read_text()) for name in ("plain", "anonymous")]
    assert counts[0]["examples"]["unknown_state"][0]["found"]
    assert all(counts[0][key] == counts[1][key] for key in ("lines", "kept", "rejected", "others", "sha256"))


def test_an_anonymous_log_comes_without_names(desk, capsys):
    words = ("import", "elm-2024.txt", "--out", "elm.swf", "--anonymous", "--names", "elm.csv")
    assert "--anonymous: --names writes the names that it leaves out" in refused(capsys, *words)
    assert not (desk / "elm.csv").exists()
