"""The `slotwise` command in hostile hands: whatever it is given, it answers in words, and leaves nothing behind."""

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from scheduler_core.contracts import Machine
from scheduler_core.runs.folder import digest_json
from slotwise.cli.main import main
from tests.traces.swf_lines import EIGHT_JOBS, line

METADATA = {"table": "workload/v2", "machine": json.dumps(Machine(8).as_dict()), "provenance": "{}", "companions": "{}"}


@pytest.fixture
def desk(tmp_path, monkeypatch, small_workload):
    """A folder with a log, a workload and two runs, in which every command is given."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.swf").write_text(EIGHT_JOBS)
    small_workload.write(tmp_path / "w.parquet")
    (tmp_path / "folder.parquet").mkdir()
    (tmp_path / "folder.swf").mkdir()
    return tmp_path


def answer(capsys, words):
    """Return a command; return the exit code and what it said as an error."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as stop:
        code = stop.code
    return code, capsys.readouterr().err


HUGE = "9" * 30
REFUSED = [
    ("simulate good.swf --policy easy --procs 0", "expected a whole number from 1 to 2,147,483,647; found '0'"),
    ("simulate good.swf --policy easy --procs -3", "found '-3'"),
    (f"simulate good.swf --policy easy --procs {HUGE}", "expected a whole number from 1"),
    ("simulate good.swf --policy easy --first 0", "expected a whole number from 1"),
    ("simulate good.swf --policy easy --first 1.5", "found '1.5'"),
    ("simulate good.swf --policy easy --replication 4", "a log has one replication, 0; found --replication 4"),
    ("simulate w.parquet --policy easy --replication 3", "there is no replication 3; the first is 0, the last 0"),
    ("simulate w.parquet --policy easy --procs 0", "expected a whole number from 1"),
    ("simulate w.parquet --policy esay", "did you mean 'easy'"),
    ("simulate w.parquet --policy easy --set candidates=none", "candidates must be a whole number or '"),
    ("simulate w.parquet --policy easy --set candidates", "expected key=value"),
    ("simulate nowhere.parquet --policy easy", "nowhere.parquet"),
    ("simulate nowhere.swf --policy easy", "nowhere.swf: there is no such file"),
    ("simulate SDSC-SPP --policy easy", "the catalogue has no log 'SDSC-SPP'; did you mean"),
    ("simulate folder.swf --policy easy", "folder.swf: this is a folder"),
    (
        "import folder.swf --out new.swf",
        "folder.swf: this is a folder; join its files first: cat folder.swf/* > accounting.txt",
    ),
    ("simulate folder.parquet --policy easy", "folder.parquet: cannot read the workload"),
    (
        "simulate good.swf --policy easy(user_jobs=lots)",
        "user_jobs: expected a number, or a word in quotes; found lots",
    ),
    ("simulate good.swf --policy easy(", "expected a policy as name(key=value, ...)"),
    ("simulate good.swf --policy easy(reservations=open('x'))", "expected a policy as name(key=value, ...)"),
    ("simulate good.swf --policy easy --set name=3", "easy has no parameter 'name'"),
    ("simulate good.swf --policy easy --set self=3", "easy has no parameter 'self'"),
    ("simulate good.swf --policy easy --set =", "expected key=value; found '='"),
    ("simulate good.swf --policy easy --set order=", "order must be one of fcfs, shortest"),
    ("simulate good.swf --policy easy --set order=fcfs --set order=fcfs", "--set order is given twice"),
    ("simulate good.swf --policy easy --set reservations=(", "reservations must be a number or 'all'; found '('"),
    (f"simulate good.swf --policy easy --set reservations={HUGE}", "reservations must be a number within"),
    (f"simulate good.swf --policy easy --set reservations={'[' * 9999}", "reservations must be a number or 'all'"),
    (
        f"simulate good.swf --policy easy --set reservations={'9' * 400}",
        "must be a number within ±4,398,046,511,104; found 1e+400",
    ),
    ("simulate good.swf --policy gang --set slice_s=1e300", "slice_s must be a number within"),
    ("simulate good.swf --policy gang --set slice_s=nan", "slice_s must be a number; found 'nan'"),
    ("simulate good.swf --policy gang --set level=1000000000000", "there is not enough memory for this"),
    ("ingest good.swf --out .", ".: this is a folder"),
    ("ingest good.swf --out folder.swf", "folder.swf: this is a folder"),
    ("ingest good.swf --out good.swf/w.parquet", "there is a file in the way"),
    (f"ingest good.swf --out {'a' * 300}", "File name too long"),
    ("ingest good.swf --out w2.parquet --set overrun=maybe", "overrun must be one of raise_estimate, kill"),
    ("ingest w.parquet --out w2.parquet", "this is a parquet file, not a log"),
    ("ingest /dev/null --out w2.parquet", "/dev/null: this is a device"),
    ("check good.swf", "there is no run.json"),
    ("check nowhere", "there is no run.json"),
    ("compare good.swf w.parquet", "there is no run.json"),
    ("generate lubin --jobs 5 --seed 1", "did you mean 'lublin'"),
    ("generate lublin --jobs 0 --seed 1", "expected a whole number from 1"),
    ("generate lublin --jobs 10 --seed -1", "seed must be a whole number of at least 0"),
    ("generate lublin --jobs 10 --seed 1 --load 0", "load must be a number above 0"),
    ("generate lublin --jobs 10 --seed 1 --load nan", "load must be a number above 0"),
    ("generate lublin --jobs 10 --seed 1 --load 1e-300", "all submissions would lie within"),
    ("generate lublin --jobs 10 --seed 1 --load 1e300", "all submissions would lie within"),
    ("generate lublin --jobs 10 --seed 1 --fit good.swf", "lublin is not fitted to a log"),
    ("generate lublin --jobs 10 --seed 1 --set jobs=4", "lublin has no parameter 'jobs'"),
    ("generate jann --jobs 10 --seed 1 --fit SDSC-SPP", "the catalogue has no log 'SDSC-SPP'"),
    ("logs SDSC-SPP", "the catalogue has no log 'SDSC-SPP'; did you mean"),
    ("policies eazy", "there is no policy 'eazy'; did you mean 'easy'"),
    ("new policy ../x", "../x: the name of a policy becomes a function of Python"),
    ("new study ../x", "an id has small letters and digits"),
    ("new policy x --out good.swf", "there is a file in the way"),
    ("bench --repeats 0", "expected a whole number from 1"),
    ("bench --growth --policy easy --policy buddies", "there is no policy 'buddies'"),
    ("nonsense", "there is no command 'nonsense'"),
    ("simulat good.swf", "there is no command 'simulat'; did you mean 'simulate'?"),
    ("simulate good.swf --polcy easy --out x", "there is no option --polcy; did you mean '--policy'?"),
    ("simulate good.swf --proc 4", "there is no option --proc; did you mean '--procs'?"),
    ("", "name a command: study, simulate"),
    ("--nonsense", "unrecognized arguments: --nonsense"),
    ("validate good.swf other.swf", "slotwise validate: unrecognized arguments: other.swf"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=[words[:60] for words, _ in REFUSED])
def test_what_cannot_be_done_is_said_in_words(desk, capsys, words, message):
    before = sorted(desk.rglob("*"))
    given = words.split()
    out = [] if "--out" in given or given[:1] not in (["simulate"], ["generate"]) else ["--out", desk / "out"]
    code, said = answer(capsys, [*given, *out])
    assert code == 2
    assert message in said
    assert "Traceback" not in said
    assert sorted(desk.rglob("*")) == before


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "", "--policy", "easy", "--out", "r"],
        ["simulate", "good.swf", "--policy", "easy", "--out", ""],
        ["ingest", "good.swf", "--out", " "],
        ["check", ""],
        ["compare", "", "r"],
    ],
)
def test_an_empty_path_is_no_path(desk, capsys, words):
    code, said = answer(capsys, words)
    assert code == 2
    assert "expected the name of a file or folder; found nothing" in said


LOGS = {
    "empty": b"",
    "gz of nothing": gzip.compress(b""),
    "half a gz": gzip.compress(EIGHT_JOBS.encode())[:-12],
    "binary": bytes(range(256)) * 50,
    "old Macintosh": EIGHT_JOBS.replace("\n", "\r").encode(),
    "no machine": line().encode(),
    "a machine of no processors": b"; MaxProcs: -8\n" + line().encode(),
    "not one good line": f"; MaxProcs: 8\n1 2 3\n{line(runtime='nan')}\n{line(runtime='1e30')}\n{line(size='x')}\n".encode(),
    "too long for 64 bits": f"; MaxProcs: 8\n{'x' * 100}\n".encode()
    + "".join(
        f"{line(job=job, runtime=9_999_999_999, allocated=8, estimate=9_999_999_999)}\n" for job in range(1, 999)
    ).encode(),
}


@pytest.mark.parametrize("what", LOGS)
def test_a_file_that_is_no_usable_log_is_named_with_what_was_expected(desk, capsys, what):
    (desk / "bad.swf").write_bytes(LOGS[what])
    code, said = answer(capsys, ["simulate", "bad.swf", "--policy", "easy", "--out", "r"])
    assert code == 2
    assert said.startswith("slotwise simulate: ")
    assert "bad.swf" in said or "workload: " in said
    assert len(said.splitlines()) <= 4
    assert not (desk / "r").exists()


@pytest.mark.parametrize(
    "text", [EIGHT_JOBS.replace("\n", "\r\n"), "\ufeff" + EIGHT_JOBS, EIGHT_JOBS + "\n\n;\n", EIGHT_JOBS.rstrip("\n")]
)
def test_harmless_differences_are_read(desk, capsys, text):
    (desk / "odd.swf").write_bytes(text.encode())
    assert answer(capsys, ["simulate", "odd.swf", "--policy", "easy", "--out", "r"])[0] == 0
    assert pl.read_parquet(desk / "r" / "jobs.parquet").height == 8


@pytest.mark.parametrize(
    "lie",
    [
        {"machine": "nonsense"},
        {"machine": "[1]"},
        {"machine": '{"name": "", "processors": 8}'},
        {"machine": METADATA["machine"].replace("8", HUGE)},
        {"machine": METADATA["machine"].replace("8", '"x"')},
        {"companions": "[1]"},
        {"companions": '{"tasks": "0"}'},
        {"provenance": "{"},
        {"table": "other/v1"},
        {"table": "workload/v2/replications", "provenance": "[{}]"},
    ],
)
def test_a_workload_file_that_lies_is_named(desk, capsys, small_workload, lie):
    small_workload.jobs.write_parquet(desk / "lie.parquet", metadata={**METADATA, **lie})
    code, said = answer(capsys, ["simulate", "lie.parquet", "--policy", "easy", "--out", "r"])
    assert code == 2
    assert "lie.parquet" in said or "lie.tasks.parquet" in said


@pytest.mark.parametrize(
    "change",
    [
        {"size": pl.lit(None, pl.Int32)},
        {"size": pl.lit(0, pl.Int32)},
        {"job": pl.lit("x")},
        {"runtime_us": pl.lit(9 * 10**18)},
        {"submit_us": pl.lit(-1)},
    ],
    ids=["null", "zero", "text", "huge", "negative"],
)
def test_a_workload_with_impossible_jobs_is_named(desk, capsys, small_workload, change):
    small_workload.jobs.with_columns(**change).write_parquet(desk / "lie.parquet", metadata=METADATA)
    code, said = answer(capsys, ["simulate", "lie.parquet", "--policy", "easy", "--out", "r"])
    assert code == 2
    assert "lie.parquet: workload: " in said


def test_a_name_that_no_terminal_can_show(desk, capsys):
    name = os.fsdecode(b"\xff.swf")
    (desk / name).write_text(EIGHT_JOBS)
    assert answer(capsys, ["simulate", name, "--policy", "easy", "--out", "r"])[0] == 0
    code, said = answer(capsys, ["simulate", os.fsdecode(b"\xfe.swf"), "--policy", "easy", "--out", "r"])
    assert code == 2
    assert "there is no such file" in said


INTERRUPTED = """
import os, signal, sys
from scheduler_core.common import inputs
from slotwise.cli.main import main
inputs.read_bytes = lambda path: os.kill(os.getpid(), signal.SIGINT)
sys.exit(main(sys.argv[1:]))
"""


def test_an_interrupt_ends_in_a_line_and_leaves_no_file(desk):
    words = "simulate good.swf --policy gang --out r"
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, *words.split()], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 130
    assert ended.stderr.strip() == "slotwise simulate: interrupted; nothing half-written was left behind"
    assert not (desk / "r").exists()


@pytest.mark.parametrize(
    "command",
    [
        "ingest {} --out w2.parquet",
        "simulate {} --policy easy --out r9",
        "workflow {}",
        "simulate good.swf --policy lomarc --slowdowns {} --out r9",
    ],
)
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/full", "pipe"])
def test_what_may_have_no_end_is_not_read(desk, capsys, command, name):
    if name == "pipe" and not Path("pipe").exists():
        os.mkfifo("pipe")
    code, said = answer(capsys, command.format(name).split())
    assert code == 2
    assert name in said


@pytest.mark.parametrize("command", ["ingest {} --out w2.parquet", "simulate {} --policy easy --out r9", "workflow {}"])
def test_a_packed_file_unpacks_to_a_bounded_size(desk, capsys, monkeypatch, command):
    Path("zeros.gz").write_bytes(gzip.compress(b"0" * 2_000_001))
    monkeypatch.setenv("SLOTWISE_LARGEST_MB", "2")
    code, said = answer(capsys, command.format("zeros.gz").split())
    assert code == 2
    assert "zeros.gz: more than 2 MB once unpacked" in said
    assert "SLOTWISE_LARGEST_MB" in said
    monkeypatch.setenv("SLOTWISE_LARGEST_MB", "3")
    assert "more than" not in answer(capsys, command.format("zeros.gz").split())[1]


def test_a_run_that_is_written_anew_is_not_whole_until_it_is(desk, capsys, monkeypatch):
    words = ["simulate", "good.swf", "--policy", "easy", "--out", "r"]
    assert answer(capsys, words)[0] == 0
    monkeypatch.setattr(
        "scheduler_core.runs.folder.write_table", lambda *given: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    code, said = answer(capsys, [*words, "--force"])
    assert code == 130
    assert "interrupted" in said
    code, said = answer(capsys, ["check", "r"])
    assert (code, "there is no run.json" in said) == (2, True)


def test_a_policy_that_does_not_end_is_named_with_its_call_and_line_when_it_is_interrupted(desk, capsys):
    Path("loops.py").write_text(
        "def loops(now, waiting, running, free):\n    raise KeyboardInterrupt\n"
    )  # as Ctrl-C does
    code, said = answer(capsys, ["simulate", "good.swf", "--policy", "loops.py:loops", "--out", "r"])
    assert code == 130
    assert re.search(
        r"interrupted in loops \(loops\.py\), call 1 at \d+ s: it had not answered \(line 2 of loops\.py\)", said
    )
    assert not Path("r").exists()


def restated(note):
    """Write the digest that a changed note would have."""
    note = {name: value for name, value in note.items() if name != "digest"}
    return {**note, "digest": digest_json(note)}


NOTES = {
    "empty": lambda note: "",
    "no JSON": lambda note: "{",
    "no object": lambda note: "null",
    "a list": lambda note: "[1]",
    "nothing in it": lambda note: "{}",
    "no machine": lambda note: json.dumps(restated({k: v for k, v in note.items() if k != "machine"})),
    "no policy": lambda note: json.dumps(restated({k: v for k, v in note.items() if k != "policy"})),
    "a policy that is a word": lambda note: json.dumps(restated({**note, "policy": "easy"})),
    "bare replications": lambda note: json.dumps(restated({**note, "replications": [{"replication": 0}]})),
    "replications that are numbers": lambda note: json.dumps(restated({**note, "replications": [0]})),
    "no certificate": lambda note: json.dumps(restated({k: v for k, v in note.items() if k != "certificate_digest"})),
    "another family": lambda note: json.dumps(restated({**note, "family": "gang"})),
}


@pytest.mark.parametrize("what", NOTES)
def test_a_note_of_a_run_that_lies_is_named(desk, capsys, what):
    assert answer(capsys, ["simulate", "good.swf", "--policy", "easy", "--out", "r"])[0] == 0
    path = desk / "r" / "run.json"
    path.write_text(NOTES[what](json.loads(path.read_text())))
    for words in (["check", "r"], ["compare", "r", "r"]):
        code, said = answer(capsys, words)
        assert code == 2
        assert "run.json" in said


def test_the_version_is_told(capsys):
    from importlib.metadata import version

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"slotwise {version('slotwise')}\n"
