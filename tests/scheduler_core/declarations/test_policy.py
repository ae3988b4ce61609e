"""Policies are found, described and validated in words a user can act on."""

import gc
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.parameters import parse_call, parse_setting
from scheduler_core.declarations.policy import family_of, get_policy, policies, policy_names
from tests.imported import imported_by
from tests.paths import PROJECT

ROOT = PROJECT


def test_policies_are_found_without_a_list():
    assert {"fcfs", "list", "easy", "conservative", "priority"} <= set(policies())
    assert {"sjf", "easy_sjbf", "fair_start"} <= set(policy_names())


@pytest.mark.parametrize("name", sorted(policies()))
def test_every_policy_documents_itself(name):
    kind = policies()[name]
    assert kind.source
    assert kind.label
    assert len(kind.__doc__.splitlines()[0]) > 20
    for entry in kind.describe_parameters():
        assert entry["meaning"], entry["name"]
        if entry["name"].endswith("_s"):
            assert entry["unit"] == "s"
    files = kind.source_files()
    assert any(path.name.endswith("event_loop.py") for path in files)
    assert ROOT / "scheduler_core" / "checker" / family_of(kind) / "rules.py" in files
    assert all(path.is_file() for path in files)


class Circle:
    """Garbage whose removal takes a while, so that another thread goes on meanwhile."""

    def __init__(self):
        self.itself = self

    def __del__(self):
        sum(range(1000))


def test_calls_are_read_in_several_threads_while_garbage_is_collected():
    def read(number):
        for hours in range(100):
            Circle()
            call = f'easy(queue_order="fair_share", half_life_h={hours}, usage_weight_h={number})'
            assert parse_call(call)[1]["half_life_h"] == hours

    collecting, switching = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(5, 2, 1000)
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(read, range(40)))
    finally:
        gc.set_threshold(*collecting)
        sys.setswitchinterval(switching)


def test_a_call_and_keywords_say_the_same():
    assert get_policy('easy(backfill_order="shortest", candidates=5)') == get_policy(
        "easy", backfill_order="shortest", candidates=5
    )
    assert get_policy("easy_sjbf") == get_policy("easy", backfill_order="shortest")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("esay", "did you mean 'easy'"),
        ("easy(ordr='fcfs')", "no parameter 'ordr'; did you mean 'order'"),
        ("easy(order='sjf')", "order must be one of"),
        ("easy(candidates=0)", "candidates must be at least 1; found 0"),
        ("easy(candidates=2.5)", "candidates must be a whole number or '"),
        ("easy(extra_processors=1)", "extra_processors must be true or false"),
        ("easy(reservations=2, extra_processors=False)", "defined for one reservation only"),
        ("easy(reservations=2, instant='completions_first')", "defined for one reservation only"),
        ("priority(short_limit_s=7200.0)", "must not exceed medium_limit_s"),
        ("priority(aging_min_s=float('nan'))", "expected a policy as name"),
        ("fcfs(order='fcfs')", "no parameter 'order'; known: user_jobs, user_processor_h"),
        ("fcfs(user_jobs=0)", "user_jobs must be at least 1; found 0"),
        ("easy(user_processor_h='none')", "user_processor_h must be a number or 'all'"),
        ("easy('shortest')", "expected a policy as name"),
        ("easy(**{})", "expected a policy as name"),
    ],
)
def test_errors_say_what_was_found_and_what_is_expected(call, words):
    with pytest.raises(ParameterError, match=words.replace("(", r"\(")):
        get_policy(call)


def test_not_a_number_is_refused():
    with pytest.raises(ParameterError, match="finite"):
        get_policy("priority", aging_min_s=float("nan"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a=1", 1),
        ("a=1.5", 1.5),
        ("a=true", True),
        ("a=off", False),
        ("a=all", "all"),
        ("a='x y'", "x y"),
        ("a=none", None),
    ],
)
def test_settings_are_read_as_people_write_them(text, value):
    assert parse_setting(text) == ("a", value)


def test_a_setting_needs_an_equals_sign():
    with pytest.raises(ParameterError, match="expected key=value"):
        parse_setting("order")


def test_listing_policies_imports_no_engine():
    code = "import slotwise.cli.main, slotwise.cli.policies\nfrom scheduler_core.declarations import policy; policy.policies()"
    assert not imported_by(code) & {"numba", "polars", "numpy", "scipy", "duckdb", "altair", "snakemake"}


def test_a_parameter_given_twice_is_refused():
    with pytest.raises(ParameterError, match="reservations is given twice"):
        get_policy("easy(reservations=1,reservations=2)")


@pytest.mark.parametrize("name", sorted(policies()))
def test_no_time_is_shorter_than_engines_count(name):
    for entry in policies()[name].describe_parameters():
        if entry["unit"] in ("s", "ms", "us") and "float" in entry["type"]:
            for value in (1e-300, 5e-324, 1e-10, -1e-300):
                with pytest.raises(ParameterError, match=entry["name"]):
                    get_policy(name, **{entry["name"]: value})
