"""Finding models, and what every model keeps: order, prefix, provenance, errors people can act on."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from scheduler_core.common.errors import ParameterError
from traces.models import get_model, models


def draw(jobs, seed=1, **values):
    return get_model("lublin", **values).generate(jobs, np.random.default_rng(seed))


def test_models_are_found_by_name():
    assert "lublin" in models()
    assert all(kind.name == name and kind.label and kind.source for name, kind in models().items())


def test_listing_models_and_validating_import_nothing_heavy():
    code = (
        "import sys, traces.build\n"
        "from traces.models import models, get_model\n"
        "models(); get_model('lublin', alpha=9.83)\n"
        "print([name for name in ('numba', 'scipy', 'polars', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("types", ["typeless", "both", "batch", "interactive"])
def test_equal_seeds_give_equal_jobs_and_a_longer_workload_begins_with_a_shorter_one(types):
    short, long = draw(1000, types=types), draw(3000, types=types)
    assert short.digest == draw(1000, types=types).digest
    assert short.digest != draw(1000, seed=2, types=types).digest
    assert long.jobs.head(1000).equals(short.jobs)


def test_the_kernel_gives_the_same_jobs_when_it_is_not_compiled():
    code = (
        "import numpy as np; from traces.models import get_model\n"
        "print(get_model('lublin', types='both').generate(400, np.random.default_rng(1)).digest)"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == draw(400, types="both").digest


def test_jobs_keep_the_models_promises():
    workload = draw(20_000, types="both")
    jobs = workload.jobs
    assert jobs["job"].to_list() == list(range(1, 20_001))
    assert jobs["submit_us"].is_sorted()
    assert jobs["estimate_us"].equals(jobs["runtime_us"])
    seconds, rest = jobs["runtime_us"] // 1_000_000, jobs["runtime_us"] % 1_000_000
    assert rest.sum() == 0
    assert seconds.min() >= 1
    assert seconds.max() <= np.exp(12)


def test_provenance_can_be_written_and_names_the_seed():
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(7, spawn_key=(1, 2))))
    note = get_model("lublin", alpha=9.83).generate(3, generator).provenance
    assert json.loads(json.dumps(note)) == note
    assert note["seed"] == {"generator": "PCG64", "entropy": 7, "spawn_key": [1, 2]}
    assert (note["source"], note["jobs"], note["parameters"]["alpha"]) == ("lublin", 3, 9.83)
    assert note["constants"][0]["a_arrival"] == 9.83
    assert note["constants"][0]["b_arrival"] == 0.4871


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("lubin", {}, "did you mean 'lublin'"),
        ("lublin", {"alfa": 1.0}, "did you mean 'alpha'"),
        ("lublin", {"processors": 0}, "at least 1"),
        ("lublin", {"types": "bach"}, "did you mean 'batch'"),
        ("lublin", {"types": "both", "alpha": 9.0}, "types=both has two"),
        ("lublin", {"serial_probability": 0.6}, "> 1"),
        ("lublin", {"u_med": 8.0}, "u_low <= u_med <= u_high"),
        ("lublin", {"u_high": 9.0}, "log2 of the machine"),
        ("lublin", {"alpha": 30.0}, "must be below 13"),
        ("lublin", {"a2": 500.0}, "must be below 12"),
        ("lublin", {"alpha": "high"}, "must be a number or 'published'; found 'high'"),
    ],
)
def test_wrong_models_and_parameters(name, values, words):
    with pytest.raises(ParameterError, match=words.replace(">", r"\>")):
        get_model(name, **values)


@pytest.mark.parametrize("jobs", [0, -1, 2.5, True])
def test_wrong_numbers_of_jobs(jobs):
    with pytest.raises(ParameterError, match="jobs must be a whole number of at least 1"):
        draw(jobs)


@pytest.mark.slow
def test_ten_million_jobs_within_20_seconds_and_3_gigabytes():
    code = (
        "import resource, numpy as np; from traces.models import get_model\n"
        "get_model('lublin').generate(10_000_000, np.random.default_rng(1))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    begin = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert time.monotonic() - begin < 20
    assert int(done.stdout) < 3_000_000
