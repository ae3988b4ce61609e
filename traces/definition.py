"""What a workload is made of, as a study or the command line writes it: the keys of a definition, and what they may say.

A definition has either ``log`` with the keys of :class:`LogDefinition`, or ``model`` with those of :class:`ModelDefinition`.
:func:`read_definition` checks one and makes its models, tables and options once; :mod:`traces.build` makes the jobs.

Reading a definition imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from scheduler_core.common.errors import ParameterError, SlotwiseError
from scheduler_core.declarations.written import Expected, complaint, key, located, parse
from traces.accounting import IngestOptions
from traces.companion_keys import Companions
from traces.models import Model, check_jobs, get_model, jobs_to_draw, models
from traces.shape.clusters import STREAMS, Line
from traces.shape.estimates import EstimateModel
from traces.shape.flexibility import HuangFlexibility
from traces.shape.memory import DaSilvaMemory
from traces.shape.nearest import Characteristics
from traces.shape.regimes import Usable
from traces.shape.windows import BEGINS, Window
from traces.written_values import (
    CLOSING,
    CLUSTERS,
    CREDIT,
    ESTIMATES,
    FIT,
    FLEXIBILITY,
    LOAD,
    LOG,
    MEAN_GAP,
    MEMORY,
    MODEL,
    USABLE,
    Fit,
    one_word,
    parameters_of,
)

Count = Annotated[int, Field(ge=1), Expected("a whole number of at least 1")]
Numbers = Annotated[
    list[Annotated[int, Field(ge=0)]], Field(min_length=1), Expected("a list of numbers of the log, such as [1, 2]")
]

ONE_CLUSTER_KEYS = ("processors", "flexibility", "behaviour", "slowdowns", "applications", "programs", "memory")
"""Keys for a machine of one cluster: no policy for several clusters reads what they add."""


class Definition(Companions):
    """The keys that workloads from logs and from models have in common."""

    STREAMS_ALLOWED: ClassVar[tuple[str, str]]
    """How jobs may come to clusters, the default first."""

    processors: Count | None = key("size of the machine", None, otherwise="the log's, or the model's")
    clusters: Annotated[tuple[Line, ...] | None, CLUSTERS] = key(
        "a machine of several clusters, with a line for each: see below", None, otherwise="one cluster"
    )
    streams: Annotated[str | None, one_word(STREAMS)] = key(
        "how jobs come to clusters: see below", None, otherwise="`own` for a model, `cut` for a log"
    )
    load: Annotated[float | tuple[float, ...] | None, LOAD] = key(
        "offered load of each cluster, reached by scaling all gaps between submissions; a model also takes a list, "
        "`[0.77, 0.7625]`, which replications use in turn",
        None,
        otherwise="as it is",
    )
    mean_gap_s: Annotated[float | None, MEAN_GAP] = key(
        "mean gap between submissions, in seconds, reached by scaling all gaps; not together with a load",
        None,
        otherwise="as it is",
    )
    estimates: Annotated[EstimateModel | None, ESTIMATES] = key(
        "`exact`, `tsafrir`, or `{model: f_model, f: 10}`: the run times that users estimate",
        None,
        otherwise="the log's",
    )
    flexibility: Annotated[HuangFlexibility | None, FLEXIBILITY] = key(
        "`huang`, or `{model: huang, rigid: 0.2}`: adds class, flexibility and bounds of sizes to jobs that have none",
        None,
        otherwise="rigid jobs",
    )
    memory: Annotated[DaSilvaMemory | None, MEMORY] = key(
        "`da_silva`, or `{model: da_silva, machine_mb: 1024}`: adds memory by size, and the machine's",
        None,
        otherwise="the log's, or none",
    )
    jobs_of: str | None = key(
        "another workload of the study, from the same log or model, whose jobs (and everything drawn for them) this one takes: "
        "use it to compare loads, mixtures or tables on the same jobs",
        None,
        otherwise="its own jobs",
    )
    label: str = key("the name in figures and tables", "", otherwise="its id")
    variant: str | None = None
    variant_of: str | None = None
    draws_of: str | None = None

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.clusters is None and self.streams is not None:
            raise complaint("it says how jobs come to the clusters of a machine; write 'clusters' as well", "streams")
        if self.clusters is not None:
            if self.dealing not in self.STREAMS_ALLOWED:
                raise complaint(stream_words(self.STREAMS_ALLOWED, self.dealing), "streams")
            for name in ONE_CLUSTER_KEYS:
                if getattr(self, name) is not None:
                    raise complaint("it is for a machine of one cluster; leave either it or 'clusters' out", name)
        if self.mean_gap_s is not None and self.load is not None:
            raise complaint("gaps are scaled to either a load or a mean gap; leave one of the two out", "mean_gap_s")
        if self.slowdowns is not None and "behaviour" not in self.companions:
            raise complaint(
                "they are measured for applications, which 'behaviour' gives to jobs; write that key as well",
                "slowdowns",
            )
        return self

    @property
    def log_name(self) -> str | None:
        """The log it needs, a name of the catalogue or a path: its own, or the one its model must be fitted to."""
        raise NotImplementedError

    @property
    def dealing(self) -> str:
        """How jobs come to clusters."""
        return self.streams or self.STREAMS_ALLOWED[0]

    @property
    def files(self) -> list[str]:
        """The files it names beside its log: a table of slowdowns, programs, workflows."""
        slowdowns, workflows = self.written.get("slowdowns"), self.written.get("workflows")
        table = [slowdowns["file"]] if isinstance(slowdowns, Mapping) and "file" in slowdowns else []
        programs = [] if self.programs is None else [self.programs.path]
        return [*table, *programs, *(workflows.get("files", ()) if workflows else ())]

    def changed(self, **keys: Any) -> Definition:
        """Return the definition with other values for some keys."""
        return read_definition({**self.written, **keys})


class LogDefinition(Definition):
    """A workload from a log."""

    SOURCE: ClassVar[str] = "log"
    whose: ClassVar[str] = " for a workload from a log"

    STREAMS_ALLOWED: ClassVar[tuple[str, str]] = ("cut", "dealt")

    log: Annotated[str, LOG] = key(
        "name in the catalogue (`traces/catalog.yaml`), or the path of any log in Standard Workload Format, relative to where "
        "Snakemake runs"
    )
    ingest: Annotated[IngestOptions | None, parameters_of(IngestOptions)] = key(
        "options of the reader", None, otherwise="as in `slotwise ingest --help`"
    )
    partition: Numbers | None = key(
        "take the jobs of these partitions of the log only, `[1, 2]`", None, otherwise="all"
    )
    queue: Numbers | None = key("take the jobs of these queues of the log only, `[0]`", None, otherwise="all")
    where: str | None = key(
        "take the jobs for which this holds, `size > 8 AND run_time < 3600`: SQL over job, submit, run_time, estimate, wait "
        "(seconds), size, user, group, executable, queue, partition, status and what else the log states",
        None,
        otherwise="all",
    )
    weeks: Annotated[Window | None, parameters_of(Window)] = key(
        "the weeks of a log to take, `{first: 4, count: 10, warm_up: 1, cool_down: 1}`", None, otherwise="the whole log"
    )
    nearest: Annotated[Characteristics | None, parameters_of(Characteristics)] = key(
        "take the window of consecutive jobs nearest to printed characteristics: `jobs`, `stride`, and by class (`jobs_short`, "
        "`work_medium`, `size_long`, ...) shares of jobs and of work in % and mean sizes",
        None,
        otherwise="the whole log",
    )
    first: Count | None = key("take this many jobs from the beginning of the log", None, otherwise="all")
    begin: Annotated[str, one_word(BEGINS)] = key(
        "when time begins: with the `log`'s clock, or when the first selected job is submitted (`first_job`), for runs that end "
        "at a set time",
        "log",
        otherwise="`log`",
    )
    usable: Annotated[Usable | None, USABLE] = key(
        "processors of the machine that jobs can really use, `124`; a wider job takes all of them. `124,113@31` is 113 from week "
        "31 on, counted from 0; policies of space sharing only",
        None,
        otherwise="all",
    )
    queue_credit_h: Annotated[dict[int, float] | None, CREDIT] = key(
        "hours of waiting with which the jobs of queues are credited in the order of submission, `{0: 1000, 3: -6}`; policies of "
        "space sharing only",
        None,
        otherwise="none",
    )
    standstills_h: Annotated[float, Field(gt=0), Expected("a number of hours above 0")] | None = key(
        "no job starts in the log's standstills of at least so many hours: periods without a recorded start in which a waiting "
        "job would have fitted; policies of space sharing only",
        None,
        otherwise="none",
    )
    closed_hours: bool = key(
        "no job starts in the closed hours of the log: hours of the week in which it records almost no start although jobs wait, "
        "of all jobs, of a queue, or of jobs over a limit; policies of space sharing only",
        False,
        otherwise="no",
    )
    close: Annotated[dict[str, str] | None, CLOSING] = key(
        "no job of a queue, over a limit, or none at all starts at these hours of the week, `{2: workdays:8-18, over4h: 7-16, "
        "all: tue:8-12}`, by the log's own time zone; policies of space sharing only",
        None,
        otherwise="always open",
    )

    @property
    def own_companions(self) -> tuple[str, ...]:
        """The companion tables that its source has."""
        asked = {
            "standstills": self.standstills_h is not None,
            "closed_hours": self.closed_hours or self.close,
            "out_of_use": self.usable is not None and self.usable.changes,
        }
        return tuple(table for table, named in asked.items() if named)

    @model_validator(mode="after")
    def _check_log(self) -> Self:
        if isinstance(self.load, tuple):
            raise complaint("a log has one replication and one load; found a list", "load")
        return self

    @property
    def log_name(self) -> str | None:
        """The log, a name of the catalogue or a path."""
        return self.log


class ModelDefinition(Definition):
    """A workload from a model."""

    SOURCE: ClassVar[str] = "model"
    whose: ClassVar[str] = " for a workload from a model"

    STREAMS_ALLOWED: ClassVar[tuple[str, str]] = ("own", "dealt")

    model: Annotated[str, MODEL] = key("name of a model: " + ", ".join(f"`{name}`" for name in models()))
    parameters: dict[str, Any] = key("parameters of the model", {}, otherwise="the published ones", alias="set")
    fit: Annotated[Fit | None, FIT] = key(
        "for `jann`: the log the model is fitted to, by name or path, or `{log: CTC-SP2, from: 1996-06-25, to: 1996-09-12}`: the "
        "jobs submitted on those days, both included, in the machine's time zone. Fits to CTC-SP2 on these days and to "
        "SDSC-SP2 ship with slotwise. For another fit the log must be there; otherwise the workload has no jobs",
        None,
        otherwise="must be given for `jann`",
    )
    jobs: Count | None = key(
        "jobs in a replication",
        None,
        otherwise="as many as the publication draws (`huang`, `gang_adversary`, `scojo_cases`, `slice_examples`, `cascade`); "
        "else must be given",
    )
    replications: Count = key("how many times the jobs are drawn", 1, otherwise="1")

    @model_validator(mode="after")
    def _check_model(self) -> Self:
        at = "set" if self.parameters else "clusters" if self.clusters is not None else "processors"
        try:
            if self.made.companions and self.clusters is not None:
                raise ParameterError(f"{self.model} draws jobs for a machine of one cluster; leave 'clusters' out")
            at = "jobs"
            jobs = self.jobs_drawn
            check_jobs(self.made, jobs)
        except SlotwiseError as error:
            raise complaint(error, at) from error
        if self.clusters is not None and jobs < len(self.clusters):
            raise complaint(f"expected a job for each of {len(self.clusters)} clusters at least; found {jobs}", "jobs")
        if self.made.needs_log and self.fit is None:
            raise complaint(f"is missing; {self.model} is fitted to a log: name one of the catalogue, or a path", "fit")
        if self.fit is not None and not self.made.needs_log:
            raise complaint(f"{self.model} is not fitted to a log; leave 'fit' out", "fit")
        return self

    @cached_property
    def made(self) -> Model:
        """The model, made for the widest of several clusters."""
        return self.made_for(max(line.processors for line in self.clusters) if self.clusters else self.processors)

    def made_for(self, processors: int | None) -> Model:
        """Make the model for a machine of this size; of the model's own size where there is none."""
        if "processors" in self.parameters:
            raise ParameterError("write processors beside 'set', not in it: it is the machine's size")
        size = {} if processors is None else {"processors": processors}
        return get_model(self.model, **self.parameters, **size)

    @property
    def jobs_drawn(self) -> int:
        """The number of jobs in a replication."""
        return jobs_to_draw(self.made, self.jobs)

    @property
    def own_companions(self) -> tuple[str, ...]:
        """The companion tables that the model draws."""
        return self.made.companions

    @property
    def log_name(self) -> str | None:
        """The log the model is fitted to, a name of the catalogue or a path; None where the fit ships with slotwise."""
        return None if self.fit is None or self.made.shipped_fit(*self.fit) is not None else self.fit.log


def source_of(written: Mapping[str, Any], where: str = "", at: str = "") -> type[LogDefinition] | type[ModelDefinition]:
    """Return the class of a definition, which has either a ``log`` or a ``model``; see :func:`read_definition`."""
    kinds = [kind for kind in (LogDefinition, ModelDefinition) if kind.SOURCE in written]
    if len(kinds) != 1:
        key = ".".join(filter(None, (at, "log")))
        found = "both" if kinds else "neither"
        raise located(where, key, f"a workload comes either from a 'log' or from a 'model'; found {found}")
    return kinds[0]


def read_definition(written: Mapping[str, Any], where: str = "", at: str = "") -> Definition:
    """Read a definition, and make its models and options, without drawing anything.

    ``where`` and ``at`` are the file and the dotted key it stands under, for messages. Raise :class:`StudyError` for the first
    thing that is wrong: the text names the key and ends with the nearest known word.
    """
    return parse(source_of(written, where, at), dict(written), where, at)


def stream_words(allowed: tuple[str, ...], found: object) -> str:
    """Return the message about ``streams`` that do not go with the source of the jobs."""
    kind = "log" if "cut" in allowed else "model"
    return f"for jobs from a {kind} expected {' or '.join(allowed)}; found {found!r}"
