"""`slotwise import`."""

import gzip
import json

import pytest

from tests.slotwise.cli.command import refused, run
from tests.traces.dumps.dump_lines import dump, row, write
from tests.traces.swf_lines import line


@pytest.fixture
def file(tmp_path):
    """Return a dump with a job, a step and a running job."""
    rows = (row(), row(JobID="100.batch", JobIDRaw="100.batch"), row(JobIDRaw="101", JobID="101", State="RUNNING"))
    return write(tmp_path, dump(*rows))


def test_a_dump_becomes_a_log_with_its_accounting_that_runs(file, tmp_path, capsys):
    out = tmp_path / "elm.swf"
    assert run("import", file, "--out", out, "--timezone", "Europe/Berlin", "--verbose") == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "dump.txt: 4 lines: 1 kept, 0 repaired, 1 rejected (1 not_finished), 2 no jobs (1 header, 1 step)\n\n"
    )
    assert [text.split() for text in said.splitlines()][4:9] == [
        ["kept", "1"],
        ["rejected", "not_finished", "1"],
        ["no", "job", "header", "1"],
        ["no", "job", "step", "1"],
        ["all", "4"],
    ]
    assert "    line 4\n" in said
    assert (
        f"1 job on 8 processors (the most that were held at once; --processors N states the machine's) written to {out}"
        in said
    )
    accounting = json.loads((tmp_path / "elm.swf.accounting.json").read_text())
    assert (accounting["lines"], accounting["kept"], accounting["others"]) == (4, 1, {"header": 1, "step": 1})
    assert run("ingest", out, "--out", tmp_path / "elm.parquet") == 0


def test_a_line_accounts_for_a_dump_unless_more_is_asked_for(file, tmp_path, capsys):
    assert run("import", file, "--out", tmp_path / "a.swf") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("dump.txt: 4 lines: 1 kept, ")
    assert not any("rule" in text or "pending" in text for text in said)


def test_without_a_time_zone_the_command_says_what_it_took(file, tmp_path, capsys):
    assert run("import", file, "--out", tmp_path / "a.swf", "--processors", 64) == 0
    assert "local times were read as UTC; --timezone names another zone\n" in capsys.readouterr().out
    assert "; MaxProcs: 64\n" in (tmp_path / "a.swf").read_text()


def test_times_since_1970_are_not_called_local(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("q,b,e,n\n1704880800,1704880860,1704884460,4\n")
    columns = "submit=q,start=b,end=e,processors=n"
    assert run("import", tmp_path / "a.csv", "--out", tmp_path / "a.swf", "--columns", columns) == 0
    assert (
        "the times name their zone; the log's clock is UTC; --timezone names another zone\n" in capsys.readouterr().out
    )


def test_packed_and_plain_files_give_the_same_bytes(file, tmp_path):
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert run("import", file, "--out", tmp_path / "a.swf") == 0
    for name in ("b.swf.gz", "c.swf.gz"):
        assert run("import", packed, "--out", tmp_path / name) == 0
    assert gzip.decompress((tmp_path / "b.swf.gz").read_bytes()) == (tmp_path / "a.swf").read_bytes()
    assert (tmp_path / "b.swf.gz").read_bytes() == (tmp_path / "c.swf.gz").read_bytes()


def test_names_are_written_only_on_request(file, tmp_path):
    assert run("import", file, "--out", tmp_path / "a.swf", "--names", tmp_path / "names.csv") == 0
    assert (tmp_path / "names.csv").read_text().splitlines() == [
        "kind,number,name",
        "user,1,mary",
        "group,1,physics",
        "queue,1,normal",
        "partition,1,batch",
        "executable,1,solve",
        "job,1,100",
    ]
    others = [path for path in tmp_path.iterdir() if path.name.startswith("a.swf")]
    assert len(others) == 2
    assert not any("mary" in path.read_text() for path in others)


def test_a_spreadsheet_takes_no_name_of_a_dump_for_a_formula(file, tmp_path):
    hostile = tmp_path / "hostile.txt"
    hostile.write_text(file.read_text().replace("mary", "=1+1"))
    assert run("import", hostile, "--out", tmp_path / "a.swf", "--names", tmp_path / "names.csv") == 0
    assert "user,1,'=1+1" in (tmp_path / "names.csv").read_text().splitlines()


def test_jobs_wider_than_the_machine_are_told(file, tmp_path, capsys):
    assert run("import", file, "--out", tmp_path / "a.swf", "--processors", 8) == 0
    assert "rejected by simulations" not in capsys.readouterr().out
    assert run("import", file, "--out", tmp_path / "a.swf", "--processors", 4, "--force") == 0
    assert (
        "1 job held more than the 4 processors of --processors, up to 8, and will be rejected"
        in capsys.readouterr().out
    )


def test_a_machine_smaller_than_what_jobs_held_at_once_is_told(tmp_path, capsys):
    file = write(tmp_path, dump(row(), row(JobIDRaw="101", JobID="101"), row(JobIDRaw="102", JobID="102")))
    for processors, told in ((24, False), (16, True)):
        assert run("import", file, "--out", tmp_path / f"{processors}.swf", "--processors", processors) == 0
        words = f"jobs held up to 24 processors at once, more than the {processors} of --processors; does it name"
        assert (words in capsys.readouterr().out) == told


def test_commas_inside_values_are_told(tmp_path, capsys):
    good = dump(row(AllocTRES="cpu=8", ReqTRES="cpu=8")).replace("|", ",")
    broken = dump(row(JobID="101", JobIDRaw="101", AllocTRES="cpu=8,mem=1G")).replace("|", ",").splitlines()[1]
    path = write(tmp_path, f"{good}{broken}\n")
    assert run("import", path, "--out", tmp_path / "a.swf", "--verbose") == 0
    assert "a value that holds ',' needs quotes, and `sacct -P` separates columns by |" in capsys.readouterr().out


def test_a_missing_dump_is_not_fetched(tmp_path, capsys):
    said = refused(capsys, "import", tmp_path / "no.txt", "--out", tmp_path / "a.swf")
    assert said.endswith("no.txt: there is no such file; check the path\n")


def test_a_log_is_no_dump(tmp_path, capsys):
    for text in ("; MaxProcs: 8\n" + line() + "\n", line() + "\n"):
        log = write(tmp_path, text, "log.swf")
        said = refused(capsys, "import", log, "--out", tmp_path / "a.swf")
        assert (
            f"log.swf: this is a job log in the Standard Workload Format already; use it as it is: slotwise fit {log}"
            in said
        )


@pytest.mark.parametrize("words", [("simulate", "--policy", "easy"), ("ingest",)])
def test_a_dump_is_no_log(words, file, tmp_path, capsys):
    command, *options = words
    said = refused(capsys, command, file, *options, "--out", tmp_path / "out")
    expected = f"this looks like accounting of SLURM (sacct -P); make a job log of it first: slotwise import {file} --out LOG.swf"
    assert f"slotwise {command}: {file}: {expected}\n" == said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "dump.txt: the file is empty; expected accounting of SLURM"),
        ("\n\n", "the first line neither names columns of sacct nor is a record of PBS or LSF, but begins ''"),
        (
            "a,b,c\n1,2,3\n",
            "the first line neither names columns of sacct nor is a record of PBS or LSF, but begins 'a,b,c'; expected",
        ),
        (
            "JobID|Start|End\n",
            "dump.txt: no column Submit, State, AllocTRES among JobID, Start, End; call sacct with them: sacct -a",
        ),
        ("JobID|Submit|Start|End|State|NCPUS|End\n", "the header names end twice"),
        ("JobID|Submit|Start|End|State|NCPUS\n", "dump.txt: not one job is left of 1 line: 0 kept"),
        ("JobID|Start|End\n\0", "dump.txt, line 2: this is a binary file"),
    ],
)
def test_what_is_no_dump_is_refused(text, words, tmp_path, capsys):
    assert words in refused(capsys, "import", write(tmp_path, text), "--out", tmp_path / "a.swf")
    assert not (tmp_path / "a.swf").exists()


def test_options_are_refused_in_words(file, tmp_path, capsys):
    out = ("--out", tmp_path / "a.swf")
    assert "no time zone is known as 'Mars/Base'" in refused(capsys, "import", file, *out, "--timezone", "Mars/Base")
    assert "the file that is read" in refused(capsys, "import", file, "--out", file)
    with pytest.raises(SystemExit):
        run("import", file, *out, "--delimiter", "x")
    assert "expected one of | , ; tab; found 'x'" in capsys.readouterr().err
    assert run("import", file, *out, "--delimiter", "|") == 0
