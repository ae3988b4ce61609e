"""Generators: keyed by seed, workload, replication and purpose, and by nothing else."""

import inspect
import itertools

import numpy as np
import pytest

from scheduler_core.common.errors import ParameterError
from traces.seeds import generator


def test_every_part_of_the_key_changes_the_stream():
    keys = itertools.product((0, 1, 2**40), ("lublin", "lublin-load-050"), (0, 1, 30), ("jobs", "estimates"))
    firsts = [generator(*key).integers(2**63) for key in keys]
    assert len(set(firsts)) == len(firsts) == 36


def test_equal_keys_give_equal_streams_whatever_was_drawn_before():
    generator(1, "lublin", 0).random(1000)
    one, two = generator(1, "lublin", 7), generator(1, "lublin", 7, "jobs")
    assert np.array_equal(one.random(100), two.random(100))
    assert one.bit_generator.seed_seq.spawn_key == two.bit_generator.seed_seq.spawn_key


def test_streams_stay_as_they_are():
    """Published results hang on this number: a change here changes every workload."""
    assert generator(1998, "lublin", 0).integers(2**63) == 8209565088960632555


def test_no_policy_in_the_key():
    assert list(inspect.signature(generator).parameters) == ["study_seed", "workload", "replication", "purpose"]


@pytest.mark.parametrize("key", [(-1, "a", 0), (1.5, "a", 0), (1, "a", -1), (1, "a", True)])
def test_wrong_keys(key):
    with pytest.raises(ParameterError, match="whole number of at least 0"):
        generator(*key)
