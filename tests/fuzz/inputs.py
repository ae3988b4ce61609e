"""Hostile inputs: a number makes an input, always the same; each is a kind, files in the current folder, and a command."""

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import yaml

from scheduler_core.declarations.policy import policy_names
from tests.traces.swf_lines import line
from tests.workflow.tiny_project import STUDY

ODD = (
    *(
        "",
        " ",
        "0",
        "-1",
        "1e-300",
        "1e300",
        "nan",
        "inf",
        "none",
        "true",
        "=",
        "[",
        "{",
        "'",
        '"',
        "\\",
        "%",
        "$x",
        ";",
    ),
    *(
        "9" * 400,
        "(" * 3000,
        "é",
        "\u202e",
        "a" * 5000,
        "../../x",
        "/dev/zero",
        "0x10",
        "1_000",
        "٣",
        "-0.0",
        "2147483648",
    ),
)
"""Values that nobody means."""

COMMANDS = (
    *(
        "simulate",
        "check",
        "compare",
        "validate",
        "fit",
        "ingest",
        "import",
        "export",
        "workflow",
        "generate",
        "policies",
        "logs",
        "study",
    ),
)
PLAIN = "; MaxProcs: 8\n" + "".join(f"{line(job=job, submit=10 * job)}\n" for job in range(1, 13))
WORKFLOW = (
    '<adag name="w"><job id="a" runtime="3"/><job id="b" runtime="5"/><child ref="b"><parent ref="a"/></child></adag>'
)
SQL = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'a' AS label, sum(i) AS value FROM n",
    "SELECT 'a' AS label, length(repeat(repeat('x', 1000000), 4000)) + i AS value FROM range(9) t(i)",
    "SELECT workload AS label, avg(value) AS value FROM measurements GROUP BY ALL",
    "SELECT workload AS label, policy AS unit, value FROM measurements JOIN workloads USING (workload)",
)


@dataclass(frozen=True)
class Hostile:
    """An input: its kind, what is done with it, and the exit codes that are right."""

    kind: str
    words: tuple[str, ...]
    right: frozenset[int] = frozenset({0, 1, 2})


def mangled(draw: random.Random, text: str) -> str:
    """Return a text with some of its pieces doubled, dropped, swapped or replaced by odd ones."""
    pieces = text.split(" ")
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(len(pieces))
        pieces[place] = draw.choice((*ODD, pieces[place] * 2, pieces[draw.randrange(len(pieces))], "\0", "\n"))
    return " ".join(pieces)


def damaged(draw: random.Random, data: bytes) -> bytes:
    """Return bytes that are cut, or of which some are others."""
    found = bytearray(data)
    if draw.random() < 0.3:
        return bytes(found[: draw.randrange(len(found))])
    for _ in range(draw.randint(1, 20)):
        found[draw.randrange(len(found))] ^= draw.randint(1, 255)
    return bytes(found)


def a_log(draw: random.Random, desk: Path) -> Hostile:
    """A log that is no log."""
    text = mangled(draw, PLAIN).encode("utf-8", "surrogatepass")
    Path("odd.swf").write_bytes(damaged(draw, text) if draw.random() < 0.3 else text)
    policy = draw.choice([name for name in ("fcfs", "easy", "conservative", "sjf") if name in policy_names()])
    asked = (
        ("simulate", "odd.swf", "--policy", policy, "--out", "out"),
        ("validate", "odd.swf", "--policy", policy),
        ("fit", "odd.swf"),
        ("export", "odd.swf", "--as", "swf", "--out", "again.swf"),
    )
    return Hostile("log", asked[0] if draw.random() < 0.5 else draw.choice(asked))


def a_workflow(draw: random.Random, desk: Path) -> Hostile:
    """A workflow file that is none."""
    Path("odd.dax").write_text(mangled(draw, WORKFLOW), encoding="utf-8")
    return Hostile("workflow", ("workflow", "odd.dax"))


def a_damaged_run(draw: random.Random, desk: Path) -> Hostile:
    """A run of any family, one of whose files was damaged; no check accepts it, unless the file still says the same."""
    run = copied_run(draw, desk)
    path = draw.choice([path for path in run.iterdir() if path.name == "run.json" or path.suffix == ".parquet"])
    before = content_of(path)
    path.write_bytes(damaged(draw, path.read_bytes()))
    try:
        same = content_of(path) == before
    except Exception:  # whatever the readers of damaged bytes raise
        same = False
    right = refused() | ({0} if same else set())
    return Hostile("damaged file", ("check", str(run), "--workload", str(run.with_suffix(".w.parquet"))), right)


def content_of(path: Path) -> object:
    """Return what a file of a run says; bytes that nobody reads, such as statistics of a parquet page, are no part of it."""
    if path.suffix == ".json":
        return json.loads(path.read_bytes())
    table, further = pl.read_parquet(path), pl.read_parquet_metadata(path)
    return table.schema, table.rows(), {key: value for key, value in further.items() if key != "ARROW:schema"}


def a_forged_run(draw: random.Random, desk: Path) -> Hostile:
    """A run of any family in which one number of one table was changed; no check accepts it."""
    run = copied_run(draw, desk)
    path = draw.choice([path for path in run.glob("*.parquet") if pl.read_parquet(path).height])
    table, metadata = pl.read_parquet(path), pl.read_parquet_metadata(path)
    column = draw.choice([name for name, kind in table.schema.items() if kind.is_integer()])
    place, change = draw.randrange(table.height), draw.choice((-1, 1, 7))
    low = table[column].min() if change > 0 else None
    changed = table[column].to_list()
    changed[place] = ((changed[place] or 0) + change) if low is None or changed[place] is not None else 0
    try:
        table = table.with_columns(pl.Series(column, changed, table.schema[column]))
    except (OverflowError, pl.exceptions.PolarsError):
        table = table.slice(1)
    table.write_parquet(path, metadata={key: value for key, value in metadata.items() if key != "ARROW:schema"})
    return Hostile("forged run", ("check", str(run), "--workload", str(run.with_suffix(".w.parquet"))), refused())


def refused() -> frozenset[int]:
    """Return the exit codes of a check that does not accept."""
    return frozenset({1, 2})


def copied_run(draw: random.Random, desk: Path) -> Path:
    """Copy one of the runs of the desk, with its workload, into the current folder."""
    run = draw.choice(sorted(path for path in desk.iterdir() if path.is_dir()))
    shutil.copytree(run, run.name)
    for workload in desk.glob(f"{run.name}.w.*"):
        shutil.copy2(workload, workload.name)
    return Path(run.name)


def a_command_line(draw: random.Random, desk: Path) -> Hostile:
    """A command line with odd words, parameters of any policy among them."""
    Path("w.swf").write_text(PLAIN, encoding="utf-8")
    policy = draw.choice(sorted(policy_names()))
    setting = draw.choice(
        ("slice_s", "until_s", "reservations", "candidates", "level", "seed", "backfill_order", "switch_s")
    )
    choices = (
        ("simulate", "w.swf", "--policy", policy, "--set", f"{setting}={draw.choice(ODD)}", "--out", "out"),
        ("simulate", "w.swf", "--policy", f"{policy}({setting}={draw.choice(ODD)})", "--out", "out"),
        (
            "generate",
            draw.choice(("lublin", "jann", "huang")),
            "--jobs",
            draw.choice(("5", *ODD)),
            "--seed",
            draw.choice(ODD),
        ),
        (
            "validate",
            "w.swf",
            f"--{draw.choice(('policy', 'usable', 'queue', 'partition', 'where', 'procs', 'first'))}",
            draw.choice(ODD),
        ),
        ("simulate", "w.swf", "--policy", f"{draw.choice(ODD)}.py:{draw.choice(ODD)}", "--out", "out"),
        (draw.choice(COMMANDS), *(draw.choice((*ODD, "--out", "--set", "w.swf", "list", "run")) for _ in range(3))),
    )
    words = draw.choice(choices)
    return Hostile("command line", tuple(word.replace("\0", "") for word in words))


def a_study(draw: random.Random, desk: Path) -> Hostile:
    """A study with odd values and shapes."""
    if draw.random() < 0.5:
        return written_study("study", mangled(draw, STUDY))
    study = yaml.safe_load(STUDY)
    value = draw.choice(
        (*ODD, [], {}, [[]], {"a": {"b": [1]}}, {1: 2}, None, True, 10**400, [{"id": ["a"]}], float("nan"))
    )
    study[draw.choice((*study, "versus", "fair", "colours", "figures", "claims", "readings", "answer", "numbers"))] = (
        value
    )
    return written_study("study", yaml.safe_dump(study, sort_keys=False))


def some_sql(draw: random.Random, desk: Path) -> Hostile:
    """A measure that does not end, or is no measure."""
    sql = draw.choice(SQL)
    sql = mangled(draw, sql) if draw.random() < 0.8 else sql
    claim = {"id": "c", "kind": "direction", "headline": "h", "sentence": "s", "citation": "t", "measure": "m"}
    study = {**yaml.safe_load(STUDY), "claims": [{**claim, "expect": {"any": {"above": 1}}}]}
    found = written_study("sql", yaml.safe_dump(study, sort_keys=False))
    Path("tiny/measures").mkdir()
    Path("tiny/measures/m.sql").write_bytes(
        damaged(draw, b"-- One.\n" + sql.encode()) if draw.random() < 0.2 else f"-- One.\n{sql}".encode()
    )
    return found


def written_study(kind: str, text: str) -> Hostile:
    """Write the file of a study; it is read and planned, not run."""
    Path("tiny").mkdir()
    Path("tiny/study.yaml").write_text(text, encoding="utf-8")
    return Hostile(kind, ("plan", "tiny"))


MAKERS: tuple[Callable[[random.Random, Path], Hostile], ...] = (
    *(a_log, a_workflow, a_damaged_run, a_forged_run, a_command_line, a_study, some_sql),
)


def hostile(seed: int, desk: Path) -> Hostile:
    """Return the input of a seed; its files are written to the current folder."""
    return MAKERS[seed % len(MAKERS)](random.Random(seed), desk)


def described(found: Hostile) -> str:
    """Return an input in a line."""
    return json.dumps([word[:60] for word in found.words], ensure_ascii=True)
