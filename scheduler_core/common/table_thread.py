"""Work on many small tables, without a change of thread at each step.

polars gives most operations on a table to threads of its own. Waking one takes up to a third of a millisecond: ten times as long
as a join of fifty rows. Making and checking a run takes hundreds of such steps.
"""

from collections.abc import Callable
from typing import TypeVar

import polars as pl

Result = TypeVar("Result")


def in_table_thread(work: Callable[[], Result]) -> Result:
    """Return the result of ``work``, called in a thread of polars, where steps on tables run at once.

    What it raises is raised here. An interrupt is raised here at once; the work goes on until the process ends.
    """
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def call(table: pl.DataFrame) -> pl.DataFrame:
        try:
            outcome.append(work())
        except BaseException as error:  # polars would wrap it in an error of its own
            failure.append(error)
        return table

    pl.LazyFrame({"row": [0]}).map_batches(call).collect(engine="streaming")
    if failure:
        raise failure[0]
    return outcome[0]
