"""Policies of the user's own that numba compiles: the functions are those of Python, and so are schedules and errors."""

import re
from dataclasses import replace
from types import FunctionType

import numba
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slotwise as sw
from scheduler_core.common.errors import ParameterError, PolicyError
from scheduler_core.contracts.companions import STANDSTILLS_COLUMNS
from scheduler_core.declarations.policy import get_policy
from scheduler_core.kernel.queue import append, new_queue
from scheduler_core.runs.replay import replay_of
from scheduler_core.space_sharing import own_state
from tests.from_python import from_python
from tests.profiles import searching
from tests.scheduler_core.examples import Case, HypothesisChooser
from tests.scheduler_core.space_sharing import own_policies
from tests.scheduler_core.space_sharing.subjects import draw_jobs, draw_standstills

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="numba compiles nothing")

BUILT_IN = {"fcfs": "fcfs", "shortest_first": "sjf", "easy": "easy"}
"""Functions and the policies of slotwise that each equals."""

SAME = [
    *BUILT_IN,
    pytest.param("conservative", marks=pytest.mark.thorough),
    *("easy_with_promises", "every_hour", "by_places"),
]

COMPILED = dict(vars(own_policies))
COMPILED.update(
    {
        name: numba.njit(FunctionType(one.__code__, COMPILED, name))
        for name, one in vars(own_policies).items()
        if isinstance(one, FunctionType)
    }
)
"""What stands in that file, every function compiled as by `@njit` on it."""


@pytest.fixture(scope="module")
def drawn():
    """Return the drawn log."""
    return sw.read_log("drawn")


def assert_same(workload, name):
    """Assert that the compiled function gives the schedule of the function in Python; return it."""
    made, expected = sw.simulate(workload, COMPILED[name]), sw.simulate(workload, getattr(own_policies, name))
    assert made.jobs.equals(expected.jobs)
    assert made.run["counters"] == expected.run["counters"]
    assert made.digest == expected.digest
    return made


@st.composite
def cases(draw):
    """Draw a workload of space sharing, at times with standstills."""
    choose = HypothesisChooser(draw)
    processors = choose.integer(1, 16)
    jobs = draw_jobs(choose, processors, 25)
    standstills = draw_standstills(choose, jobs[-1].submit) if choose.integer(0, 2) == 0 else ()
    return Case(jobs, processors, get_policy("fcfs"), standstills=standstills)


@pytest.mark.xdist_group(__name__)  # with the tests on the drawn log, whose process has compiled the functions
@pytest.mark.parametrize("name", SAME)
@searching(60)
@given(case=cases())
def test_compiled_a_function_gives_the_schedules_of_python(name, case):
    assert_same(case.workload, name)


@pytest.mark.parametrize("name", ["by_columns", "of_known_users", "writing", *SAME])
def test_compiled_a_function_gives_the_schedule_of_python_on_a_log(drawn, name):
    workload = drawn.first(2000) if name != "conservative" else drawn.first(200)
    assert sw.check(workload, assert_same(workload, name)).legal


@pytest.mark.parametrize(("name", "built_in"), BUILT_IN.items())
def test_compiled_a_function_equals_the_policy_of_slotwise_job_by_job(drawn, name, built_in):
    hour = 3_600_000_000
    table = pl.DataFrame([(30 * hour, 50 * hour), (50 * hour, 53 * hour)], schema=STANDSTILLS_COLUMNS, orient="row")
    for workload in (drawn, replace(drawn.first(2000), companions={"standstills": table})):
        made = sw.simulate(workload, COMPILED[name])
        assert made.jobs.equals(sw.simulate(workload, built_in).jobs)
        assert sw.check(workload, made).legal


def test_a_user_whom_the_log_does_not_name_is_none_in_python_and_minus_one_compiled(drawn):
    some = drawn.first(300)
    user = pl.when(pl.col("job") % 3 > 0).then("user").alias("user")
    assert_same(replace(some, jobs=some.jobs.with_columns(user)), "of_known_users")
    assert_same(replace(some, jobs=some.jobs.drop("user")), "of_known_users")


@pytest.mark.parametrize(
    "name",
    [
        *("never_at_all", "too_wide", "all_that_wait", "twice", "a_stranger", "narrowed", "renumbered", "giving_up"),
        *(
            "asking_for_ever",
            "in_the_past",
            "never_again",
            "promising_the_past",
            "promising_the_started",
            "promising_a_stranger",
        ),
        "promising_never",
    ],
)
def test_errors_are_those_of_python_word_by_word(drawn, name):
    told = []
    for choose in (getattr(own_policies, name), COMPILED[name]):
        with pytest.raises(PolicyError, match=rf"^{name} \(.*\), call [\d,]+ at [\d,.e+]+ s: ") as raised:
            sw.simulate(drawn.first(200), choose)
        told.append(str(raised.value))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("meddling", r"numba cannot compile it: jobs\.size is read-only"),
        ("looking_for_run_times", r"Unknown attribute 'runtime' of type Job \(line \d+ of .*own_policies\.py\)"),
        ("never", r"nothing is ever added to a list, so it has no type; return None in its place \(line \d+ of .*"),
        ("nonsense", r"it returns list\(str\); expected jobs of `waiting`, their numbers"),
        ("placing_one_number", r"it returns Start\(Job, .*\); expected jobs"),
        ("promising_too_much", r"numba cannot compile it: "),
    ],
)
def test_what_numba_cannot_compile_is_told_with_the_cure(drawn, name, message):
    with pytest.raises(
        ParameterError, match=rf"^{name} \(.*\): .*{message}.*; remove numba's decorator to run it in Python$"
    ):
        sw.simulate(drawn.first(20), COMPILED[name])


NUMBAS_WORDS = """
import statistics
from numba import njit

def helper(job, free):
    return job.size <= free

@njit
def named(now, waiting, running, free):
    chosen = []
    return chosen

@njit
def mixed(now, waiting, running, free):
    chosen = []
    for job in waiting:
        chosen.append(job)
        chosen.append(3)
    return chosen

@njit
def either(now, waiting, running, free):
    return [job for job in waiting] if free else [3]

@njit
def number(now, waiting, running, free):
    return [1.5]

@njit
def keyed(now, waiting, running, free):
    return [min(waiting, key=lambda job: job.size)]

@njit
def averaging(now, waiting, running, free):
    return [job for job in waiting if job.size > statistics.mean(waiting.size)]

@njit
def calling(now, waiting, running, free):
    return [job for job in waiting if helper(job, free)]

@njit
def formatting(now, waiting, running, free):
    print(f"{now:.1f}")
    return None

@njit
def misspelt(now, waiting, running, free):
    chosen = []
    for job in waiting:
        if job.size <= fre:
            chosen.append(job)
    return chosen
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "named",
            "nothing is ever added to the list `chosen`, so it has no type; return None in its place (line 10 of ",
        ),
        ("mixed", "a list of Job takes no int (line 18 of "),
        ("either", " in one place and "),
        ("number", "it returns list(float); expected jobs of `waiting`"),
        ("keyed", "numba knows no min(jobs, key="),
        ("averaging", "Unknown attribute statistics.mean (line 35 of "),
        ("calling", "`helper` is not compiled; write @njit above it, too (line 39 of "),
        ("formatting", "format spec in f-strings not supported yet (line 43 of "),
        ("misspelt", "NameError: name 'fre' is not defined (line 50 of "),
    ],
)
def test_numbas_own_words_do_not_reach_the_user(drawn, tmp_path, name, message):
    (tmp_path / "mine.py").write_text(NUMBAS_WORDS)
    with pytest.raises(ParameterError) as error:
        sw.simulate(drawn.first(20), f"{tmp_path / 'mine.py'}:{name}")
    told = str(error.value)
    assert message in told
    assert told.endswith("; remove numba's decorator to run it in Python")
    assert not re.search("Literal|undefined|unicode_type|BoundFunction|imprecise|CPUDispatcher|0x", told), told


FILE = """
from numba import experimental, int64, njit


@njit
def fits(job, free):
    return job.size <= free


@njit
def first(now, waiting, running, free):
    for job in waiting:
        if fits(job, free):
            return job
    return None


def no_helper(job):
    return job.size


@njit
def unready(now, waiting, running, free):
    return [job for job in waiting if no_helper(job) <= free]


class Patient:
    def __init__(self):
        self.calls = 0

    def choose(self, now, waiting, running, free):
        self.calls += 1
        return waiting[0] if waiting[0].size <= free and (self.calls % 3 == 0 or len(running) == 0) else None


Compiled = experimental.jitclass([("calls", int64)])(Patient)


@experimental.jitclass
class Unready:
    def __init__(self):
        pass

    def choose(self, now, waiting, running, free):
        return waiting.runtime


class Method:
    @njit
    def choose(self, now, waiting, running, free):
        return waiting[0]
"""


@pytest.fixture
def file(tmp_path):
    """Return a file of policies that are decorated with `@njit`."""
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def test_a_decorated_function_is_named_by_its_file_and_compiled_once(drawn, file):
    few = drawn.first(300)
    made = sw.simulate(few, f"{file}:first")
    assert made.jobs.equals(sw.simulate(few, get_policy(f"{file}:first").choose().py_func).jobs)
    assert made.run["policy"]["title"] == "first (mine.py)"
    assert replay_of(few, made).same
    assert get_policy(f"{file}:first").choose() is get_policy(f"{file}:first").choose()


def test_a_function_that_is_not_compiled_is_told_with_its_line(drawn, file):
    line = FILE.splitlines().index("    return [job for job in waiting if no_helper(job) <= free]") + 1
    with pytest.raises(
        ParameterError, match=rf"`no_helper` is not compiled; write @njit above it, too \(line {line} of {file}\)"
    ):
        sw.simulate(drawn.first(20), f"{file}:unready")


def test_a_compiled_class_keeps_its_state_in_a_simulation_and_is_made_anew_for_the_next(drawn, file):
    few = drawn.first(500)
    one, other, expected = (sw.simulate(few, f"{file}:{name}").jobs for name in ("Compiled", "Compiled", "Patient"))
    assert one.equals(expected)
    assert other.equals(expected)


def test_what_is_wrong_in_a_compiled_class_is_told_with_its_line(drawn, file):
    line = FILE.splitlines().index("        return waiting.runtime") + 1
    with pytest.raises(ParameterError, match=rf"Unknown attribute 'runtime' of type jobs \(line {line} of {file}\)"):
        sw.simulate(drawn.first(20), f"{file}:Unready")


def test_a_compiled_method_is_refused(drawn, file):
    with pytest.raises(
        ParameterError, match="numba compiles no single method; remove @njit, or compile the class with"
    ):
        get_policy(f"{file}:Method")


def test_progress_is_reported_to_the_last_job(drawn):
    seen = []
    sw.simulate(drawn, COMPILED["fcfs"], progress=lambda done, total: seen.append((done, total)))
    assert len(seen) > 2
    assert sorted(seen) == seen
    assert seen[-1] == (drawn.jobs.height, drawn.jobs.height)


def test_promises_are_taken_before_their_room_is_full(drawn, monkeypatch):
    monkeypatch.setattr(own_state, "PENDING", 4)
    made = assert_same(drawn.first(500), "easy_with_promises")
    assert made.tables["promises"].height > 100


def test_too_many_promises_at_once_are_an_error(drawn, monkeypatch):
    monkeypatch.setattr(own_state, "PENDING", 4)
    with pytest.raises(PolicyError, match="too many promises or calls at once; remove numba"):
        sw.simulate(drawn.first(1000), COMPILED["promising_all"])


remove, put = from_python(own_state.remove), from_python(append)


@given(st.lists(st.integers(0, 3), max_size=30), st.randoms(use_true_random=False))
def test_jobs_leave_a_queue_from_any_place(operations, random):
    made, plain = new_queue(40, np.arange(40)), []
    for job, operation in enumerate(operations):
        put(made, job)
        plain.append(job)
        for gone in random.sample(plain, min(operation, len(plain))):
            remove(made, gone)
            plain.remove(gone)
        first, last = made.bounds
        assert made.jobs[first:last].tolist() == plain
