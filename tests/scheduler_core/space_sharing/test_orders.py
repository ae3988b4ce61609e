"""The table of orders: what is in it can be asked for, what is not is refused."""

import dataclasses

import pytest

from scheduler_core import simulate
from scheduler_core.common.errors import ParameterError
from scheduler_core.declarations.policy import family_of, get_policy, policies
from scheduler_core.space_sharing import orders
from scheduler_core.space_sharing.orders import BY_KEY, BY_SLOWDOWN, ORDERS, Order

CHOOSABLE = {name for name, order in ORDERS.items() if order.choosable}


def with_order(policy: str, parameter: str, order: str):
    """Make a policy that asks for an order its parameter does not offer."""
    made = get_policy(policy)
    object.__setattr__(made, parameter, order)
    return made


ASKS = [
    (name, field.name)
    for name, kind in policies().items()
    if family_of(kind) == "space_sharing"
    for field in dataclasses.fields(kind)
    if "order" in field.name
]
"""Parameters of the family that name an order."""


@pytest.mark.parametrize(("policy", "parameter"), ASKS)
def test_every_parameter_for_an_order_offers_the_table(policy, parameter):
    kind = policies()[policy]
    entry = next(entry for entry in kind.describe_parameters() if entry["name"] == parameter)
    assert set(entry["choices"]) - {"queue"} <= CHOOSABLE
    assert len(entry["choices"]) >= len(CHOOSABLE)
    assert entry["choices"][0] == entry["default"]


@pytest.mark.parametrize(
    ("policy", "parameter"),
    [("list", "order"), ("easy", "order"), ("easy", "backfill_order"), ("conservative", "order")],
)
def test_an_order_that_is_not_in_the_table_is_refused_by_the_engine_too(small_workload, policy, parameter):
    with pytest.raises(ParameterError, match="there is no order 'shortst' of waiting jobs; did you mean 'shortest'"):
        simulate(small_workload, with_order(policy, parameter, "shortst"))


def test_one_entry_makes_an_order(small_workload, monkeypatch):
    monkeypatch.setitem(ORDERS, "by_half_the_estimate", Order(key=lambda estimate, size: estimate // 2))
    assert "by_half_the_estimate" in orders.choices("fcfs")
    found = simulate(small_workload, with_order("list", "order", "by_half_the_estimate")).jobs
    assert found.equals(simulate(small_workload, 'list(order="shortest")').jobs)
    assert not found.equals(simulate(small_workload, 'list(order="fcfs")').jobs)


def test_an_entry_that_the_event_loop_does_not_know_is_refused():
    with pytest.raises(ParameterError, match="code of the event loop, 0 to 4; found 9"):
        Order(code=9)
    with pytest.raises(ParameterError, match="has keys if its code is 1"):
        Order(code=BY_KEY)
    with pytest.raises(ParameterError, match="has keys if its code is 1"):
        Order(code=BY_SLOWDOWN, key=lambda estimate, size: estimate)


def test_keys_that_are_no_whole_numbers_are_refused(small_workload, monkeypatch):
    """Compiled code called directly would read the bits of other keys as whole numbers."""
    monkeypatch.setitem(ORDERS, "by_aspect", Order(key=lambda estimate, size: estimate / size))
    with pytest.raises(ParameterError, match="keys of an order must be int64; found float64: scale and round"):
        simulate(small_workload, with_order("list", "order", "by_aspect"))
