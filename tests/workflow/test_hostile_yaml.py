"""YAML that no person writes ends in a sentence: nesting, aliases, odd tags and keys."""

import pytest

from scheduler_core.common.errors import StudyError
from workflow.yaml_files import read_yaml

DOUBLINGS = "".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(12))

TAGS = ("int", "bool", "float", "timestamp", "map", "set", "omap", "pairs", "binary", "python/name:os.system")
VALUES = ("foo", "''", "[a]", "{a: b}")

HOSTILE = {
    "brackets": "x: " + "[" * 200_000,
    "braces": "{a: " * 200_000,
    "blocks": "".join(" " * n + "a:\n" for n in range(200)),
    "dashes": "- " * 100_000,
    "doublings": "a0: &a0 [x]\n" + DOUBLINGS,
    "within itself": "x: &a [*a]",
    "digits": "x: " + "9" * 5000,
    "a mapping as key": "? {a: b}\n: c",
    "a list as key": "? [a]\n: c",
    "a zero byte": "x: \0",
    **{f"!!{tag} {value}": f"x: !!{tag} {value}" for tag in TAGS for value in VALUES},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_yaml_ends_in_a_sentence_that_names_the_file(tmp_path, name):
    path = tmp_path / "study.yaml"
    path.write_text(HOSTILE[name], encoding="utf-8")
    said = ""
    try:
        read_yaml(path)
    except StudyError as error:
        said = str(error)
    assert said.startswith(f"{path}: ") or (not said and name.startswith("!!")), (
        "this was read, or the file is not named"
    )


@pytest.mark.parametrize("name", ["/dev/zero", "folder", "latin"])
def test_only_regular_files_of_text_are_read(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin").write_bytes(b"title: \xe9t\xe9")
    with pytest.raises(StudyError, match=name):
        read_yaml(tmp_path / name)
