"""Policies that users write: a function in a file of their own, called whenever jobs could start."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scheduler_core.common.errors import ParameterError, nearest
from scheduler_core.common.files import reading
from scheduler_core.declarations.families import SITE_TABLES
from scheduler_core.declarations.parameters import parameter
from scheduler_core.declarations.policy import OWN, PREEMPTIVE, Policy, kind_of

if TYPE_CHECKING:
    from scheduler_core.contracts import Workload

Choose = Callable[..., Any]
"""``choose(now, waiting, running, free)``, which returns the jobs to start now."""


@dataclass(frozen=True)
class OwnPolicy(Policy):
    """A policy of the user's own: a function that chooses the jobs to start.

    The function is called once at each instant at which jobs were submitted or have ended, after all of them, as
    ``choose(now, waiting, running, free)``:

    * ``now``: the time in seconds since the workload's zero.
    * ``waiting``: the waiting jobs in the order of submission (:class:`~scheduler_core.space_sharing.own_view.Jobs`). Iterating
      gives jobs; ``waiting.size`` is the column of their sizes. A job has ``number``, ``submitted``, ``size``, ``estimate``,
      ``user``, ``group``, ``queue``, ``partition`` and ``executable``.
    * ``running``: the running jobs in the order of their starts; they also have ``started`` and ``expected_end``.
    * ``free``: the number of free processors.

    It returns the jobs to start now, or their numbers; nothing for none. ``Start(job, processors)`` places a job on certain
    processors, :class:`Promise` promises a job a start no later than a time, and :class:`CallAgain` asks for a further call at a
    later time (:mod:`~scheduler_core.space_sharing.own_view`). What cannot be done is an error at once; the checker proves that
    promises are kept.

    The function sees no run times. A class may stand in its place: it is made anew for each simulation, and its method ``choose``
    keeps what it likes between calls. It is not called in standstills. A workload with closed hours or processors out
    of use is refused, as the function does not see them.

    A function (``@njit``) or class (``@jitclass``) that numba compiled runs in a compiled event loop, by the same rules and with
    the same errors. What would be None is -1 there. It returns jobs and numbers, promises and further calls each in a list of
    their own (``return chosen, promises``), and starts no job on certain processors.

    A policy marked with :func:`~scheduler_core.space_sharing.own_view.preemptive` also suspends running jobs
    (:mod:`scheduler_core.preemptive.own_policy`), and one marked with :func:`~scheduler_core.space_sharing.own_view.moldable`
    chooses the sizes of jobs.

    Cost: n calls for n jobs and as many for their ends, and what the function itself costs.
    """

    name: ClassVar[str] = OWN
    label: ClassVar[str] = "Own policy"
    source: ClassVar[str] = "the user's own file"
    engine: ClassVar[str] = "own_engine"

    file: str = parameter("", "the file that defines the policy")
    function: str = parameter("", "the name of the function or class in that file")
    sha256: str = parameter("", "digest of the file, so that a changed file is another policy")

    chooser: ClassVar[Any] = None  # the function itself, where it was given as an object

    @property
    def title(self) -> str:
        """The name of the function, its file, and the parameters that differ from their defaults."""
        file = [Path(self.file).name] if self.file else []
        changed = [f"{name}={value}" for name, value in self.values().items() if name not in OF_THE_FILE]
        usual = {f"{entry.name}={entry.default}" for entry in dataclasses.fields(self)}
        said = ", ".join([*file, *(word for word in changed if word not in usual)])
        return f"{self.function} ({said})" if said else self.function

    def require_companions(self, workload: Workload) -> None:
        """Refuse what every policy refuses, closed hours and processors out of use, which the function does not see."""
        super().require_companions(workload)
        for table in ("closed_hours", "out_of_use"):
            if table in workload.companions:
                raise ParameterError(
                    f"{self.title} does not see {SITE_TABLES[table]}, which the workload has; take another policy of space "
                    "sharing, or leave them out"
                )

    def choose(self) -> Choose:
        """Return the function, or the method ``choose`` of a new object of the class; the object itself if numba compiled it.

        Raise :class:`ParameterError` when the file has changed since the policy was made, cannot be run, or has no such function,
        or when no object of the class can be made.
        """
        return self.chooser_of(self.found())

    def found(self) -> Any:
        """Return what the file defines under the name, or the object that was given."""
        return self.chooser if self.chooser is not None else load(Path(self.file), self.function, self.sha256)

    def chooser_of(self, found: Any) -> Choose:
        """Return the function, or the method of a new object, as :meth:`choose` says."""
        try:
            made = found() if isinstance(found, type) else found
        except Exception as error:
            raise ParameterError(
                f"{self.title}: no object can be made: {type(error).__name__}: {error}{line_of(error, self.file)}"
            ) from error
        method = getattr(made, "choose", made)
        if not callable(method):
            raise ParameterError(f"{self.title}: expected a function, or a class with a method `choose`")
        if hasattr(method, "py_func") and not is_compiled(method):
            raise ParameterError(
                f"{self.title}: numba compiles no single method; remove @njit, or compile the class with "
                "numba.experimental.jitclass"
            )
        chosen: Choose = made if is_compiled(made) else method
        return chosen


OF_THE_FILE = ("file", "function", "sha256")
"""The parameters that say which function a policy is; others are the user's to choose."""


def own_policy(given: Choose | str, /, **values: Any) -> OwnPolicy:
    """Return the policy of a function or class, or of ``FILE.py:NAME``, with parameters if it is a moldable one.

    Raise :class:`ParameterError` when there is no such file or name in it, or it has no such parameter.
    """
    if isinstance(given, str):
        file, _, function = given.rpartition(":")
        path = Path(file)
        policy = OwnPolicy(file, function, digest_of(path))
        found = policy.found()
        policy = with_parameters(kind_for(found), policy.values(), values)
        policy.chooser_of(found)
        return policy
    written = in_python(given)
    path_text = inspect.getsourcefile(written) if inspect.isfunction(written) or isinstance(written, type) else None
    name = getattr(written, "__qualname__", type(given).__qualname__)
    source = Path(path_text) if path_text and Path(path_text).is_file() else None
    asked = {"file": str(source or ""), "function": name, "sha256": digest_of(source) if source else ""}
    policy = with_parameters(kind_for(given), asked, values)
    object.__setattr__(policy, "chooser", given)  # not a parameter: the file and its digest stand for it
    if values:
        policy.chooser_of(given)
    return policy


def with_parameters(kind: type[OwnPolicy], of_file: dict[str, str], values: dict[str, Any]) -> OwnPolicy:
    """Return the policy of a file with further parameters; raise :class:`ParameterError` when it has no such parameter."""
    known = [entry.name for entry in dataclasses.fields(kind) if entry.name not in OF_THE_FILE]
    for name in values:
        if name not in known:
            reason = nearest(name, known) if known else "only policies marked @slotwise.moldable have parameters"
            raise ParameterError(f"{of_file['function']}: a policy of your own has no parameter '{name}'; {reason}")
    try:
        return kind.build({**of_file, **values})
    except ParameterError as error:  # the class is not a policy that users know by its name
        raise ParameterError(str(error).replace(f"{kind.name}: ", f"{of_file['function']}: ", 1)) from None


def kind_for(given: Any) -> type[OwnPolicy]:
    """Return the class of policies for a function or class: the preemptive one for what is marked as preemptive or moldable."""
    marked = any(getattr(given, mark, False) is True for mark in ("preemptive", "moldable"))
    kind: Any = kind_of(PREEMPTIVE) if marked else OwnPolicy
    return kind


def is_compiled(given: Any) -> bool:
    """Return whether numba made something: a function, a class (`jitclass`) or its object."""
    return type(given).__module__.partition(".")[0] == "numba"


def in_python(given: Any) -> Any:
    """Return a function as it was before numba compiled it."""
    return getattr(given, "py_func", given) if is_compiled(given) else given


def digest_of(path: Path) -> str:
    """Return the digest of a file; raise :class:`ParameterError` when there is none."""
    if path == Path():
        raise ParameterError("the policy was given as an object, so no file says what it does; give it as FILE.py:NAME")
    try:
        return hashlib.sha256(reading(path).read_bytes()).hexdigest()
    except OSError as error:
        looked = "" if path.is_absolute() else f"; a relative path, so it was looked for in {Path.cwd()}"
        raise ParameterError(f"{path}: the file of the policy cannot be read ({error.strerror}){looked}") from None


COMPILED: dict[tuple[Path, str, str], Any] = {}
"""What numba made of functions and classes of files, by path, name and digest of the file: a process compiles each once."""


def load(path: Path, name: str, sha256: str) -> Any:
    """Return what a file defines under a name; raise :class:`ParameterError` when it cannot."""
    if digest_of(path) != sha256:
        raise ParameterError(f"{path}: the file has changed since the policy was read; name it anew")
    namespace: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), namespace)
    except Exception as error:
        raise ParameterError(
            f"{path}: the file cannot be run: {type(error).__name__}: {error}{line_of(error, str(path))}"
        ) from error
    if name not in namespace:
        own = {word: value for word, value in namespace.items() if callable(value) and not word.startswith("_")}
        known = [word for word, value in own.items() if getattr(value, "__module__", None) == path.stem]
        hint = nearest(name, known) if known else "it defines no function"
        raise ParameterError(f"{path}: there is no '{name}' in it; {hint}")
    found = namespace[name]
    return COMPILED.setdefault((path, name, sha256), found) if is_compiled(found) else found


def line_of(error: BaseException, file: str) -> str:
    """Return the line of the user's file that raised an error, as the end of a sentence."""
    lines = [frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return at_line(lines[-1], file) if lines else ""


def at_line(line: int, file: str) -> str:
    """Return a line of the user's file, as the end of a sentence."""
    return f" (line {line} of {file})"
