"""The worked examples: the jobs of the printed tables, and nothing drawn."""

import pytest

from traces.build import build_workload
from traces.models.slice_examples import LATER_S

TABLE_1 = {  # submission, run time, size (p. 17)
    3: ("medium", 10, 65, 7), 4: ("medium", 35, 34, 3), 5: ("short", 40, 9, 7), 6: ("short", 41, 5, 2),
    7: ("short", 50, 5, 3), 8: ("long", 75, 98, 4), 9: ("long", 77, 80, 5), 10: ("medium", 90, 40, 6),
}  # fmt: skip
TABLE_3 = {  # p. 39
    8: ("medium", 10, 65, 5), 9: ("medium", 35, 40, 3), 10: ("medium", 40, 30, 6), 11: ("medium", 41, 70, 7),
    12: ("medium", 50, 50, 5), 13: ("short", 75, 15, 4), 14: ("long", 77, 80, 3), 15: ("medium", 90, 15, 6),
}  # fmt: skip


@pytest.mark.parametrize(("example", "printed", "later"), [("slices", TABLE_1, 0), ("group", TABLE_3, LATER_S)])
def test_the_jobs_of_the_printed_tables(example, printed, later):
    workload = build_workload({"model": "slice_examples", "set": {"example": example}}, "example", 1).workloads[0]
    jobs = {
        row["job"]: (row["class"], row["submit_us"] / 1e6 - later, row["runtime_us"] / 1e6, row["size"])
        for row in workload.jobs.iter_rows(named=True)
    }
    assert printed.items() <= jobs.items()
    assert workload.machine.processors == 10
