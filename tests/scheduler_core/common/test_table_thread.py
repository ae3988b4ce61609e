"""Work in a thread of polars: its result, its errors, and steps within."""

import polars as pl
import pytest

from scheduler_core.common.errors import ContractError
from scheduler_core.common.table_thread import in_table_thread


def test_the_result_is_that_of_the_work() -> None:
    """Steps of every kind run within, lazy ones and work within work, too."""
    table = pl.DataFrame({"job": [1, 2, 3], "size": [4, 5, 6]})

    def work() -> int:
        joined = table.join(table.filter(pl.col("size") > 4), on="job").lazy().select(pl.col("size").sum()).collect()
        return int(joined.item()) + in_table_thread(lambda: table.height)

    assert in_table_thread(work) == 14


@pytest.mark.parametrize("error", [ContractError("the jobs table lacks a column"), KeyboardInterrupt(), SystemExit(3)])
def test_what_the_work_raises_is_raised(error: BaseException) -> None:
    """An error keeps its class and text: polars wraps none of them."""

    def work() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        in_table_thread(work)
    assert caught.value is error
