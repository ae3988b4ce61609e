"""Inside the time slices of Concurrent Gang: what processors do with their time, and a window of a trace."""

from typing import Any

import duckdb

from reports.diagrams.parts import first_run
from reports.draw.charts import study_rows
from reports.families.concurrent_gang.charts import concurrent_gang_figure
from reports.figures.forms.stacked import activity_shares
from reports.figures.general.needs import needs


@needs(metrics=("utilisation_spin_busy",))
def processor_activities(connection: duckdb.DuckDBPyConnection, study: str) -> Any:
    """What processors do with their time.

    Shares of the time of all processors, to the end of the run; means over {units} replications. A spinning task holds
    its processor and does nothing for its job. Where no task runs, the slice's owner waits, or the slice has no owner.
    Utilisation counts all other shares, switches included.
    """
    return activity_shares(study_rows(connection, study, "processor_activities", workloads=None, policies=None))


@needs(family="concurrent_gang", metrics=("utilisation_spin_busy",), traced=True)
def slice_window(connection: duckdb.DuckDBPyConnection, study: str) -> Any:
    """Inside the slices of a run.

    {workload} under {policy}: {length} ms, {begin} s into the run, {jobs} jobs on {processors} processors. A lane is a processor;
    its background has the colour of the slice's owner, and the numbers above are those of the rows. A task that the gang
    scheduler chose fills the lane; one that the local scheduler chose fills its lower part. Numbers are jobs. Hatching marks
    spinning, grey a context switch. Below each lane are the requests that its disk serves. [[The page of schedules shows it under
    every policy.]]
    """
    return first_run(connection, study, TRACED, concurrent_gang_figure)


TRACED = """
    SELECT workload, workload_label, policy, policy_label
    FROM base JOIN policies USING (policy) JOIN activity USING (workload, policy)
    WHERE whole AND replication = 0 AND (parameters ->> 'trace_s')::DOUBLE > 0
    ORDER BY max(spin_share) OVER (PARTITION BY workload) DESC, min(base.position) OVER (PARTITION BY workload),
        list_position((SELECT pictured FROM studies WHERE study = base.study), policy) NULLS LAST,
        local_share DESC, base.position"""
"""Traced runs. The workload whose tasks spin most comes first, and of it the runs that the study pictures, then those with the
most work that local schedulers chose."""
