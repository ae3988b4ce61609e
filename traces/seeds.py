"""Random number generators, one for each workload, replication and purpose.

The key holds the study's seed, the workload's id, the number of the replication and the purpose. It holds nothing of a
policy, so policies see the same jobs. Each key has its own stream: more replications, workloads or studies never change
older ones.
"""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING

from scheduler_core.common.errors import ParameterError

if TYPE_CHECKING:
    import numpy as np


def words(text: str) -> tuple[int, ...]:
    """Return the sha256 of a text as eight numbers of 32 bits."""
    return struct.unpack(">8I", hashlib.sha256(text.encode()).digest())


def generator(study_seed: int, workload: str, replication: int, purpose: str = "jobs") -> np.random.Generator:
    """Return the generator (PCG64) for what is drawn, the ``purpose``, in a replication of a workload, counted from 0.

    The study's seed is the entropy of its seed sequence. Raise :class:`ParameterError` when the seed or the replication is no
    whole number of at least 0.
    """
    import numpy as np

    for what, value in (("seed", study_seed), ("replication", replication)):
        if type(value) is not int or value < 0:
            raise ParameterError(f"{what} must be a whole number of at least 0; found {value!r}")
    key = (*words(workload), replication, *words(purpose))
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(study_seed, spawn_key=key)))
