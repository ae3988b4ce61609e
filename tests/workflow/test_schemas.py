"""JSON schemas of studies and claims: they are current, and agree with what the reader accepts."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from tests.paths import STUDIES
from tests.workflow.tiny_project import STUDY
from workflow.schema import FOLDER, README, schemas, tables, with_tables
from workflow.yaml_files import read_yaml

SHIPPED = sorted(STUDIES.glob("*/study.yaml"))
CLAIM_FILES = sorted(STUDIES.glob("*/claims*.yaml"))


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft202012Validator:
    """The schema of study files, ready to validate."""
    made = schemas()["study.schema.json"]
    jsonschema.Draft202012Validator.check_schema(made)
    return jsonschema.Draft202012Validator(made)


def schema_named_by(path: Path) -> Path:
    """Return the schema that a file names for editors."""
    named = re.search(r"^# yaml-language-server: \$schema=(\S+)\n", path.read_text(), flags=re.MULTILINE)
    assert named is not None
    return (path.parent / named.group(1)).resolve()


def test_the_schemas_are_current() -> None:
    for name, schema in schemas().items():
        shipped = json.loads((FOLDER / name).read_text())
        assert shipped == json.loads(json.dumps(schema)), f"run `python -m workflow.schema` to rewrite {name}"
        assert (FOLDER / name).stat().st_size < 105_000


def test_the_tables_of_keys_are_current() -> None:
    text = README.read_text()
    assert text == with_tables(text), "run `python -m workflow.schema` to rewrite the tables of config/README.md"
    assert all(f"<!-- keys of {name} -->\n| " in text for name in tables())


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_the_shipped_studies_keep_the_schema_and_name_it(schema: jsonschema.Draft202012Validator, path: Path) -> None:
    schema.validate(read_yaml(path))
    assert schema_named_by(path) == (FOLDER / "study.schema.json").resolve()


@pytest.mark.parametrize("path", CLAIM_FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_shipped_claims_keep_the_schema_and_name_it(path: Path) -> None:
    jsonschema.validate(yaml.safe_load(path.read_text()), schemas()["claims.schema.json"])
    assert schema_named_by(path) == (FOLDER / "claims.schema.json").resolve()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title:", "titel:"),
        ("easy: {}", "easy: {backfil_order: shortest}"),
        ("easy: {}", "easy: {candidates: 0}"),
        ("easy: {}", "mine: {uses: conservative, candidates: 5}"),
        ("fcfs: {}", "mine: {}"),
        ("fcfs: {}", "mine: {uses: mine.py:first, candidates: 5}"),
        ("fcfs: {}", "mine: {uses: mine.py:first, quick: {candidates: 5}}"),
        ("fcfs: {}", "mine: {uses: mine.py}"),
        ("replications: 2", "replicatons: 2"),
        ("load: 0.8", "load: 0.8, quick: {job: 3}"),
        ("load: 0.8", "load: 0.8, estimates: exat"),
        ("load: 0.8", "load: 0.8, behaviour: {model: lomarc, mixture: M4}"),
        ("load: 0.8", "load: 0.8, behaviour: lomarc, slowdowns: {table: huang_2004, by: class}"),
        ("load: 0.8", "load: 0.8, behaviour: lomarc, slowdowns: {fiel: mine.csv}"),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(
    schema: jsonschema.Draft202012Validator, old: str, new: str
) -> None:
    assert old in STUDY
    assert schema.is_valid(yaml.safe_load(STUDY))
    assert not schema.is_valid(yaml.safe_load(STUDY.replace(old, new)))
