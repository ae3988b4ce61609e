"""Finding models, and what every model keeps: order, prefix, provenance, errors people can act on."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from scheduler_core.common.errors import ParameterError
from tests.imported import imported_by
from traces.models import get_model, models
from traces.models.gang_adversary import FAMILIES
from traces.models.slice_examples import EXAMPLES


def draw(jobs, seed=1, model="lublin", **values):
    return get_model(model, **values).generate(jobs, np.random.default_rng(seed))


def test_models_are_found_by_name():
    assert "lublin" in models()
    assert all(kind.name == name and kind.label and kind.source for name, kind in models().items())


def test_listing_models_and_validating_import_nothing_heavy():
    code = "import traces.build\nfrom traces.models import models, get_model\nmodels(); get_model('lublin', alpha=9.83)"
    assert not imported_by(code) & {"numba", "scipy", "polars", "numpy"}


PREFIXED = [*({"types": types} for types in ("typeless", "both", "batch", "interactive")), {"model": "random_batch"}]


@pytest.mark.parametrize("values", PREFIXED, ids=str)
def test_equal_seeds_give_equal_jobs_and_a_longer_workload_begins_with_a_shorter_one(values):
    short, long = draw(1000, **values), draw(3000, **values)
    assert short.digest == draw(1000, **values).digest
    assert short.digest != draw(1000, seed=2, **values).digest
    assert long.jobs.head(1000).equals(short.jobs)


FIXED = [
    ("cascade", {}),
    *(("slice_examples", {"example": example}) for example in EXAMPLES),
    *(("gang_adversary", {"family": family, "processors": 8}) for family in FAMILIES),
]


@pytest.mark.parametrize(("name", "values"), FIXED)
def test_of_a_fixed_workload_nothing_is_drawn(name, values):
    model = get_model(name, **values)
    jobs = model.published_jobs
    one, other = (draw(jobs, seed, name, **values) for seed in (1, 7))
    assert one.digest == other.digest
    assert one.jobs["estimate_us"].to_list() == one.jobs["runtime_us"].to_list()
    assert one.jobs["size"].max() <= one.machine.processors == getattr(model, "processors", one.machine.processors)
    assert json.loads(json.dumps(one.provenance))["seed"] is None
    with pytest.raises(ParameterError, match=f"there are {jobs} jobs; found {jobs + 1}. Leave jobs out"):
        draw(jobs + 1, 1, name, **values)


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
        ("gang_adversary", {"family": "equal"}, "family must be one of equal_halves, long_thin, tall_and_thin, unit"),
        ("gang_adversary", {"processors": 1}, "processors must be at least 2"),
        ("gang_adversary", {"copies": 0}, "copies must be at least 1"),
        (
            "gang_adversary",
            {"unit_s": 1e9, "processors": 2**16},
            "must not take longer than 1e+12 s; found 6.5536e+13 s",
        ),
        ("gang_adversary", {"processors": 6, "copies": 4}, "copies x 4 must be a multiple of the 6 processors, which"),
        ("gang_adversary", {"processors": 6, "copies": 4}, "which copies = 3 and its multiples are; found 4"),
        ("huang", {"workload": 3}, "workload must be at most 2"),
        ("huang", {"workload": 0}, "workload must be at least 1"),
        ("huang", {"reading": "fited"}, "did you mean 'fitted'"),
        ("huang", {"size_upper": "open"}, "size_upper must be one of reading, inclusive, exclusive"),
        ("huang", {"arrival_scale": 0}, "arrival_scale must be at least"),
        ("huang", {"processors": 31}, "processors must be at least 32"),
        ("huang", {"arrival_scale": 0.001}, "at least 1 s; found 0.13"),
        ("scojo_cases", {"case": 4}, "case must be at most 3; found 4"),
        ("scojo_cases", {"case": "tabel"}, "case must be a number or one of 1, 2, 3, table; found 'tabel'"),
        ("scojo_cases", {"arrivals": "as_table"}, "arrivals=as_table is for cases 2 and 3; found case 1"),
    ],
)
def test_wrong_models_and_parameters(name, values, words):
    with pytest.raises(ParameterError, match=re.escape(words)):
        get_model(name, **values)


@pytest.mark.parametrize("jobs", [0, -1, 2.5, True])
def test_wrong_numbers_of_jobs(jobs):
    with pytest.raises(ParameterError, match="jobs must be a whole number of at least 1"):
        draw(jobs)


@pytest.mark.slow
def test_ten_million_jobs_take_less_than_3_gigabytes():
    # VmHWM, because ru_maxrss begins with that of the process that started this one
    code = (
        "from pathlib import Path; import numpy as np; from traces.models import get_model\n"
        "get_model('lublin').generate(10_000_000, np.random.default_rng(1))\n"
        "print(Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 3_000_000
