"""The keys of a study file, each declared once: types, meanings and defaults.

Messages, the JSON schema and the tables of ``config/README.md`` come from these declarations (:mod:`workflow.schema`).
"""

from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, model_validator

from reports.figures.names import general_names
from scheduler_core.common.errors import StudyError, nearest
from scheduler_core.declarations.written import Expected, Read, Written, complaint, key
from traces.definition import Count, Definition, LogDefinition, ModelDefinition
from traces.shape.estimates import EstimateModel
from traces.written_values import ESTIMATES
from workflow.checks import IDENTIFIER, read_identifier
from workflow.study_page import Page

LAST = 1_000_000
"""The position of a study without one."""

OVERRIDING_SCALES = ("small", "quick", "paper")
"""Scales at which an entry may differ from the full scale."""

ID_SCHEMA = {"type": "string", "pattern": f"^{IDENTIFIER.pattern}$"}

Id = Annotated[str, Read(read_identifier, lambda: ID_SCHEMA)]
PolicyIds = Annotated[list[str], Expected("a list of ids of the study")]


Seed = Annotated[int, Field(ge=0), Expected("a whole number of at least 0")]
Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$"), Expected("a colour such as '#0b7bc1'")]


def read_figure(value: Any) -> str:
    """Return the name of a general figure."""
    if value not in general_names():
        raise StudyError(f"there is no general figure '{value}'; {nearest(str(value), general_names())}")
    return str(value)


def read_load(load: Any) -> float:
    """Return one of several loads: whole percents, because ids contain them with three digits."""
    if type(load) not in (int, float) or not 0 < load < 10:
        raise StudyError(f"a load is a number above 0 and below 10; found {load!r}")
    if abs(load * 100 - round(load * 100)) > 1e-9:
        raise StudyError(f"loads are whole percents, because they become part of file names; found {load}")
    return float(load)


Load = Annotated[float, Read(read_load, lambda: {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 10})]


def read_override(value: Any) -> Any:
    """Return the differences at a scale: a mapping of keys, or ``false``."""
    if value is not False and not isinstance(value, dict):
        raise StudyError(f"expected a mapping of keys to values; found {value!r}")
    return value


LEFT_OUT = Expected("false, to leave the variant out")
OVERRIDE = Read(read_override, lambda: {"x-override": True})


class Variant(Written):
    """A variant of a workload: the same jobs with other estimates."""

    estimates: Annotated[EstimateModel, ESTIMATES] = key("as for a workload")
    label: str | None = key("what is added to the workload's label", None, otherwise="its suffix")
    policies: PolicyIds | None = key("policies to run on it", None, otherwise="those of the workload")
    small: Annotated[bool, LEFT_OUT] = key("`false`: the variant is left out at this scale", True, otherwise="`true`")
    quick: Annotated[bool, LEFT_OUT] = key("as `small`", True, otherwise="`true`")
    paper: Annotated[bool, LEFT_OUT] = key("as `small`", True, otherwise="`true`")


class Expansion(Written):
    """The keys of a workload in a study that control its expansion."""

    loads: Annotated[list[Load], Expected("a list of loads")] | None = key(
        "a list of loads, `[0.5, 0.55]`, in steps of a percent: `lublin` becomes `lublin-load-050`, `lublin-load-055`, ...",
        None,
        otherwise="one workload",
    )
    variants: dict[Id, Variant] | None = key(
        "suffix -> `{estimates, label, policies}`: the same jobs with other estimates, as `<id>-<suffix>`; `small: false`, "
        "`quick: false` or `paper: false` leaves one out at that scale",
        None,
        otherwise="none",
    )
    policies: Annotated[list[str], Expected("a list of policies of this study")] | None = key(
        "ids of the policies to run on this workload; `[]` for none, for a workload that only a reading uses",
        None,
        otherwise="all of the study",
    )
    small: Annotated[Any, OVERRIDE] = key(
        "keys that differ at this scale, or `false`: not part of it", {}, otherwise="as at the full scale"
    )
    quick: Annotated[Any, OVERRIDE] = key("as `small`", {}, otherwise="as at the full scale")
    paper: Annotated[Any, OVERRIDE] = key("as `small`", {}, otherwise="as at the full scale")


class LogWorkload(Expansion, LogDefinition):
    """A workload of a study from a log."""


class ModelWorkload(Expansion, ModelDefinition):
    """A workload of a study from a model."""


EXPANDED_KEYS = ("variant", "variant_of", "draws_of")
"""Keys of a definition that result from expanding an entry or a reading; no file states them."""

FIXED_KEYS = ("log", "model", *OVERRIDING_SCALES)
"""Keys of a workload that a scale cannot override."""

SOURCE_KEYS = tuple(
    name
    for name in dict.fromkeys((*LogDefinition.names(), *ModelDefinition.names()))
    if name not in Definition.names() or name in ("processors", "clusters", "streams")
    if name != "replications"
)
"""Keys of a workload that determine its jobs; workloads with the same jobs agree in them."""


class PolicyEntry(Written):
    """A policy of a study; every other key is a parameter of the policy."""

    model_config = ConfigDict(extra="allow")

    uses: Annotated[str, Expected("the name of a policy")] | None = key(
        "name of the policy or preset: `slotwise policies` lists them; or `FILE.py:NAME`, a policy of your own: a function or "
        "class of a file in the study's folder",
        None,
        otherwise="its id",
    )
    label: str | None = key("the name in figures and tables, unique in the study", None, otherwise="the policy's")
    reference: bool = key(
        "`true`: it is run and checked, but figures leave it out (fair start times are measured against one)",
        False,
        otherwise="`false`",
    )
    small: dict[str, Any] = key(
        "parameters that differ at this scale, as `small: {until_s: 2000}`", {}, otherwise="as at the full scale"
    )
    quick: dict[str, Any] = key("as `small`", {}, otherwise="as at the full scale")
    paper: dict[str, Any] = key("as `small`", {}, otherwise="as at the full scale")


Choice = Annotated[str, Expected("the choice in words (in quotes, where it is a number)")]


class ReadingEntry(Written):
    """A reading of a study: one resolution of what the source leaves open."""

    label: str = key("the name in the report")
    follows: str = key("the sentence or listing it follows, with its place")
    choices: dict[str, Choice] = key(
        "what it chooses, by subject; every reading of a study states the same subjects in the same order, and no two choose "
        "the same"
    )
    changes: dict[str, Any] = key(
        "parameters that differ, in every policy of the study that has them: `pect` becomes `pect-easy`",
        {},
        otherwise="must be given without `stands_for` and `metrics`",
        alias="set",
    )
    policies: PolicyIds | None = key(
        "the policies that run again; another policy whose parameters would differ is absent under this reading",
        None,
        otherwise="those that differ and are no `reference`",
    )
    unaffected: PolicyIds = key(
        "policies that have such a parameter but the same schedules for any value; the headline's runs count",
        [],
        otherwise="none",
    )
    on: PolicyIds | None = key("the workloads on which they run; they are absent on the others", None, otherwise="all")
    draws: Count | None = key(
        "run the first draws only, on `<workload>-draws-<draws>`, with the same jobs as in the workload; the scale `paper` "
        "always runs all",
        None,
        otherwise="all",
    )
    stands_for: dict[str, str] = key(
        "workload of the study -> the one that stands for it under this reading; it is defined under `workloads`, run only for "
        "readings, and not shown",
        {},
        otherwise="none",
    )
    metrics: dict[str, str] = key(
        "metric that claims name -> the metric measured for it under this reading, where the source leaves its definition "
        "open; nothing runs again",
        {},
        otherwise="none",
    )
    second_headline: Annotated[bool, Expected("true or false: whether pages show it beside the headline")] = key(
        "`true`: the source supports it as much as the first reading, so pages and counts show its verdicts and answers beside "
        "the headline's; it has all draws",
        False,
        otherwise="`false`",
    )
    small: Annotated[bool, Expected("true or false: whether it takes part there")] = key(
        "`true`: it takes part at the scale `small`, too", False, otherwise="`false`"
    )
    quick: Annotated[bool, Expected("true or false: whether it takes part there")] = key(
        "`true`: it takes part at the scale `quick`, too", False, otherwise="`false`"
    )
    paper: Annotated[bool, Expected("true or false: whether it takes part there")] = key(
        "`false`: it takes no part at the scale `paper`", True, otherwise="`true`"
    )

    def takes_part(self, scale: str) -> bool:
        """Return whether the reading takes part at a scale."""
        return {"small": self.small, "quick": self.quick, "paper": self.paper}.get(scale, True)


class StudyFile(Page):
    """A study file."""

    study: Id = key("id; the name of the folder")
    title: str = key("the name in the report")
    question: str = key("what the study asks, in a sentence")
    seed: Seed = key("whole number; seeds the random numbers of models and estimates")
    position: int = key("place among the studies of a report, the least first", LAST, otherwise="last, by name")
    versus: str | None = key(
        "id of the policy the others are compared with, on the same jobs", None, otherwise="none: no comparison"
    )
    fair: str | None = key(
        "id of the policy whose starts are the fair ones: a job that starts later has missed its fair start time",
        None,
        otherwise="none: fairness is not measured",
    )
    colours: dict[str, Colour] | None = key(
        'colours of policies in figures and tables, `id: "#rrggbb"`', None, otherwise="spare colours"
    )
    pictured: Annotated[list[str], Expected("a list of policies of the study")] | None = key(
        "policies whose schedules are drawn first, in this order", None, otherwise="the order of the study"
    )
    figures: (
        Annotated[
            list[Annotated[str, Read(read_figure, lambda: {"enum": general_names()})]],
            Expected("a list of names of general figures"),
        ]
        | None
    ) = key(
        "the general figures the report shows, in this order (`reports/figures/general/`)",
        None,
        otherwise="all that the data allow",
    )
    workloads: dict[Id, dict[str, Any]] = key("id -> workload")
    policies: dict[Id, PolicyEntry | None] = key("id -> policy")
    readings: dict[Id, ReadingEntry] | None = key(
        "id -> reading: one resolution of what the source leaves open; the first is the headline",
        None,
        otherwise="one reading, the study's own definitions",
    )
    printed_values: Annotated[str, Expected("the name of a file")] | None = key(
        "a file of the numbers that the sources print, in the folder of the study; `reports/measure/printed.py` explains its "
        "columns",
        None,
        otherwise="none",
    )
    fitted: Annotated[dict[str, Annotated[str, Expected("text")]], Expected("a mapping from a name to text")] | None = (
        key(
            "name -> a choice made, or kept, after a result was seen; claims that rest on it name it",
            None,
            otherwise="none",
        )
    )
    claims: Any = key("what the literature claims, see below", None, otherwise="none")
    claims_from: Annotated[list[Annotated[str, Expected("the name of a file")]], Expected("a list of files")] | None = (
        key(
            "files in the folder of the study, each a list of claims, as `claims_workloads.yaml`; the report shows claims in "
            "this order, those of the study file first, and no id may occur twice",
            None,
            otherwise="none",
        )
    )

    @model_validator(mode="after")
    def _check_policies_named(self) -> Self:
        named = [
            ("versus", self.versus),
            ("fair", self.fair),
            *((f"colours.{name}", name) for name in self.colours or {}),
        ]
        for at, name in (*named, *(("pictured", name) for name in self.pictured or [])):
            if name is not None and name not in self.policies:
                raise complaint(f"there is no policy '{name}' in this study; {nearest(name, self.policies)}", at)
        return self


def read_switch(value: Any) -> bool:
    """Return a switch of the configuration; the command line gives it as a word."""
    switch = {"true": True, "false": False}.get(str(value).lower())
    if switch is None:
        raise StudyError(f"expected true or false; found {value!r}")
    return switch


class Configuration(Written):
    """The configuration of a run, ``config/config.yaml``."""

    studies: Annotated[list[Id], Expected("a list of names of folders")] | None = key(
        "studies to run: names of folders in `studies/`", None, otherwise="all of them"
    )
    require_logs: Annotated[bool, Read(read_switch, lambda: {"enum": [True, False, "true", "false"]})] = key(
        "`true`: stop when a job log is missing; otherwise its workloads have no jobs and the report says so",
        False,
        otherwise="`false`",
    )
