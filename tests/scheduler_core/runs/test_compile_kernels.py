"""The order in which families are compiled."""

import threading
import time

import pytest

from scheduler_core.declarations.policy import families_within, policies_by_family
from scheduler_core.runs import simulation


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_a_family_is_compiled_after_those_within_it(monkeypatch, processes):
    """Otherwise the machine code that they share would be compiled twice, once in each process."""
    told, lock, at_work = [], threading.Lock(), []

    def compile_apart(names):
        with lock:
            at_work.append(names)
            told.append(("begin", names, len(at_work)))
        time.sleep(0.01)
        with lock:
            at_work.remove(names)
            told.append(("end", names, len(at_work)))

    monkeypatch.setattr(simulation, "compile_apart", compile_apart)
    simulation.compile_kernels(processes)
    families = policies_by_family()
    place = {
        (what, family): k for k, (what, names, _) in enumerate(told) for family in families if families[family] == names
    }
    assert {family for what, family in place if what == "end"} == families.keys()
    assert max(at_once for _, _, at_once in told) <= processes
    assert "slices" in families_within("grid")
    for family in families:
        assert all(place["end", other] < place["begin", family] for other in families_within(family))
