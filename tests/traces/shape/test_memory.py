"""Memory by size: the printed steps, the machine's memory, and recorded memory replaced."""

import polars as pl
import pytest

from scheduler_core.common.errors import ParameterError, StudyError
from scheduler_core.contracts import Machine
from tests.traces.jobs import workload_of
from traces.definition import read_definition
from traces.shape.memory import DaSilvaMemory, with_memory

PRINTED_MB = {(1, 1): 2, (2, 2): 4, (3, 4): 8, (5, 8): 16, (9, 16): 32, (17, 32): 64, (33, 64): 128, (65, 128): 256}


def sized(sizes, **more):
    return workload_of(len(sizes), Machine(128, "M", 4), size=sizes, **more)


def megabytes(workload):
    return (workload.jobs["memory_kb"] / 1024).to_list()


def test_the_steps_of_the_source():
    sizes = list(range(1, 129))
    expected = [next(mb for (low, high), mb in PRINTED_MB.items() if low <= size <= high) for size in sizes]
    assert megabytes(with_memory(sized(sizes), DaSilvaMemory())) == expected


def test_larger_jobs_need_no_more_than_the_most():
    assert megabytes(with_memory(sized([129, 322, 2**31 - 1]), DaSilvaMemory())) == [256] * 3


def test_the_machine_has_512_megabytes_a_processor_and_keeps_the_rest():
    machine = with_memory(sized([1]), DaSilvaMemory()).machine
    assert machine == Machine(128, "M", 4, 512 * 1024)


def test_parameters():
    model = DaSilvaMemory(machine_mb=64, least_mb=3, most_mb=20)
    workload = with_memory(sized([1, 2, 3, 5, 9]), model)
    assert megabytes(workload) == [3, 6, 12, 20, 20]
    assert workload.machine.memory_kb == 64 * 1024
    step = workload.provenance["transformations"][-1]
    assert (step["step"], step["model"]) == ("memory", "da_silva")
    assert step["parameters"] == {"machine_mb": 64, "least_mb": 3, "most_mb": 20}


def test_recorded_memory_is_replaced():
    recorded = sized([2, 2], memory_kb=pl.Series([7, None], dtype=pl.Int64))
    after = with_memory(recorded, DaSilvaMemory())
    assert megabytes(after) == [4, 4]
    assert after.digest != recorded.digest


def test_wrong_ones():
    with pytest.raises(ParameterError, match="least_mb must not be above most_mb; found 9 and 8"):
        DaSilvaMemory(least_mb=9, most_mb=8)
    with pytest.raises(StudyError, match=r"^memory: there is no memory model 'dasilva'; did you mean 'da_silva'"):
        read_definition({"log": "SDSC-SP2", "memory": "dasilva"})
    with pytest.raises(StudyError, match=r"^memory: .*no parameter 'machine'"):
        read_definition({"log": "SDSC-SP2", "memory": {"model": "da_silva", "machine": 1}})
