"""What a study says of its page: taken as written, and refused by key where it speaks of what there is not."""

import re
from pathlib import Path
from typing import Any

import pytest

from reports.figures.names import figure_names, general_names
from reports.ledger.measures import measured_by, read_measures
from scheduler_core.common.errors import StudyError
from tests.paths import STUDIES
from workflow.checks import Place
from workflow.study_page import Page, check_page
from workflow.yaml_files import read_yaml

SAY = {"reproduced": "It falls by {value} % ({interval}), in {k} of {n}.", "otherwise": "It does not."}
HERO = {"figure": "measures_by_policy", "claim": "falls", "say": SAY}
MEASURED = {
    "figure": general_names()[0],
    "measure": "gain",
    "with": {"scope": "all"},
    "expect": {"all": {"above": 0}},
    "say": SAY,
}
WHOLE: dict[str, Any] = {
    "answer": [
        {"claim": "falls", "say": SAY},
        {"measure": "gain", "with": {"scope": "all"}, "expect": {"all": {"above": 0}}, "say": SAY},
    ],
    "numbers": [{"label": "gain", "measure": "gain", "with": {"scope": "all"}, "unit": "%"}],
    "hero": {**HERO, "figure": general_names()[0]},
    "curve": "falls",
    "sections": [{"title": "Gains", "figures": [general_names()[0]]}],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of studies with one measure."""
    (tmp_path / "tiny" / "measures").mkdir(parents=True)
    (tmp_path / "tiny" / "measures" / "gain.sql").write_text("-- One.\nSELECT $scope AS label, 1 AS value")
    return tmp_path


def page_of(folder: Path, **keys: Any) -> dict[str, Any]:
    """Read the page of a study that has one claim."""
    path = folder / "tiny" / "study.yaml"
    page = Place(path).read(Page, keys)
    check_page(Place(path), page, ["falls"], lambda: figure_names(path.parent))
    try:
        read_measures(path, measured_by(page.page, []))
    except StudyError as error:
        raise Place(path).wrong(error) from error
    return page.page


def test_a_whole_page_is_taken_as_written(folder: Path) -> None:
    assert page_of(folder, **WHOLE) == WHOLE


def test_the_figure_on_top_may_speak_of_a_measure(folder: Path) -> None:
    assert page_of(folder, hero=MEASURED) == {"hero": MEASURED}


def test_a_study_need_not_say_anything_of_its_page(folder: Path) -> None:
    assert page_of(folder) == {}


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("answer", "It falls.", "answer: expected a list; found 'It falls.'"),
        ("answer", [{"claim": "fall", "say": SAY}],
         "answer.0.claim: there is no claim 'fall' in this study; did you mean 'falls'?"),
        ("answer", WHOLE["answer"] * 3, "answer: expected at most 4; found 6"),
        ("answer", [{"claim": "falls", "say": {"reproduced": "Yes."}}],
         "answer.0.say: says nothing when the verdict is 'reproduced in part'; give it a text, or add 'otherwise'"),
        ("answer", [{"claim": "falls", "say": {**SAY, "proven": "Yes."}}], "answer.0.say.proven: there is no such key"),
        ("answer", [{"claim": "falls", "say": {"otherwise": "{median}"}}],
         "answer.0.say.otherwise: there is no placeholder '{median}'"),
        *(("answer", [{"claim": "falls", "say": {"otherwise": text}}], "answer.0.say.otherwise: a placeholder has no format")
          for text in ("{value:>999999999}", "{value:{n}}", "{k!r:>9}", "{n!r}")),
        ("answer", [{**MEASURED, "figure": None}], "answer.0.figure: there is no such key"),
        ("answer", [{"measure": "gains", "expect": {"any": {"above": 0}}, "say": SAY}],
         "answer.0: there is no measure 'gains' in "),
        ("answer", [{"measure": "gain", "say": SAY}], "answer.0.expect: is missing; it must be given where there is no claim"),
        ("answer", [{"measure": "gain", "expect": {"all": {"over": 0}}, "say": SAY}],
         "answer.0.expect.all.over: there is no such key"),
        ("numbers", [{"measure": "gain"}], "numbers.0.label: is missing"),
        ("numbers", [{"label": "x"}], "numbers.0.measure: is missing"),
        ("hero", HERO, "hero.figure: there is no figure 'measures_by_policy' of this study"),
        ("hero", {**WHOLE["hero"], "say": {"otherwise": "long " * 30}},
         "hero.say.otherwise: a heading has at most 120 letters; found 150"),
        ("hero", {**MEASURED, "measure": "gains"}, "hero: there is no measure 'gains' in "),
        ("curve", "rises", "curve: there is no claim 'rises' in this study"),
        ("sections", WHOLE["sections"] * 2, "sections.1.figures: duplicate:"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_by_file_and_key(folder: Path, key: str, value: Any, told: str) -> None:
    with pytest.raises(StudyError) as error:
        page_of(folder, **{key: value})
    assert str(error.value).startswith(f"{folder / 'tiny' / 'study.yaml'}: {told}")


@pytest.mark.parametrize("key", ["answer", "hero"])
def test_a_missing_measure_names_the_nearest(folder: Path, key: str) -> None:
    wrong = {**MEASURED, "measure": "gains"}
    if key == "answer":
        wrong.pop("figure")
    with pytest.raises(StudyError, match=f"{key}.*: there is no measure 'gains' in .*did you mean 'gain'"):
        page_of(folder, **{key: [wrong] if key == "answer" else wrong})


TYPED_LOAD = re.compile(r"(?<![Ff]rom )(?:a load of|at load) (\d(?:\.\d+)?)")


def test_no_text_names_a_load_that_its_rows_may_not_have() -> None:
    """A scale may leave a load out: a text names one only if each workload of its rows is at this load."""
    named = 0
    for path in sorted(STUDIES.glob("*/study.yaml")):
        study = read_yaml(path)
        for entry in [*study.get("answer", []), *filter(None, [study.get("hero")])]:
            for load in TYPED_LOAD.findall(" ".join(entry["say"].values())):
                ending = f"-load-{100 * float(load):03.0f}"
                workloads = (entry.get("with") or {}).get("workloads") or []
                pinned = bool(workloads) and all(name.endswith(ending) for name in workloads)
                assert pinned, f"{path}: a load of {load}: use {{label}}"
                named += 1
    assert named
