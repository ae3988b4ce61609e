"""The worked example of Figure 6.9: three jobs, nothing drawn, and programs that come to their end."""

import numpy as np

from traces.build import build_workload
from traces.models import get_model


def test_three_jobs_of_which_the_third_waits_at_barriers():
    workload = build_workload({"model": "cascade", "set": {"supersteps": 3}}, "cascade", 1).workloads[0]
    assert workload.machine.processors == 4
    assert workload.jobs.select("job", "size").rows() == [(3, 4), (1, 4), (2, 3)]
    assert workload.companions["applications"]["application"].to_list() == ["compute", "compute", "program"]
    program = workload.companions["programs"]
    assert program["job"].unique().to_list() == [3]
    assert program.filter(task=2)["statement"].to_list() == ["compute", "barrier"] * 3
    assert program["time_us"].unique().sort().to_list() == [0, 1800]


def test_the_job_that_waits_may_come_last():
    workload = get_model("cascade", synchronous="last").generate(3, np.random.default_rng(1))
    assert workload.jobs.select("job", "submit_us").rows() == [(1, 0), (2, 0), (3, 0)]
