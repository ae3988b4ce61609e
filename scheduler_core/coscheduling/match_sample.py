"""A few jobs that say what they do with their time, on which pairs are formed."""

from dataclasses import replace

import polars as pl

from scheduler_core.contracts import Workload
from scheduler_core.contracts.companions import BEHAVIOUR_COLUMNS, OWN_FRACTIONS
from scheduler_core.runs.simulation import sample_workload as plain_workload


def sample_workload() -> Workload:
    """Return jobs that compute, communicate and read in turn, on a machine of two processors."""
    plain = plain_workload()
    count = plain.jobs.height
    columns = dict.fromkeys(BEHAVIOUR_COLUMNS, [0.0] * count) | {
        "job": plain.jobs["job"],
        "kind": [OWN_FRACTIONS[place % 3] for place in range(count)],
        "application": [0] * count,
    }
    columns |= {name: [float(place % 3 == own) for place in range(count)] for own, name in enumerate(OWN_FRACTIONS)}
    return replace(plain, companions={"behaviour": pl.DataFrame(columns, schema=BEHAVIOUR_COLUMNS)})
