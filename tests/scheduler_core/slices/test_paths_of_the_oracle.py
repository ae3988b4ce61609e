"""The paths of a search, in the orders in which the oracle takes them."""

import pytest

from tests.oracles.slices.search import discrepancies, paths


def written(way: str, depth: int) -> list[str]:
    """Write the paths of a search as digits."""
    return ["".join(map(str, digits)) for digits in paths(way, depth)]


def test_discrepancies_come_as_the_thesis_prints_them() -> None:
    """ "0, 1, 1, 2, 1, 2, etc." (Kanavallil 2007, section 6.4.2)."""
    assert [discrepancies(digits) for digits in paths("depth_first", 3)] == [0, 1, 1, 2, 1, 2]


@pytest.mark.parametrize("way", ["depth_first", "front_first", "dds", "ilds"])
def test_each_path_comes_once(way: str) -> None:
    assert sorted(written(way, 4)) == written("depth_first", 4)
    assert written(way, 4)[0] == "0000"


def test_orders_of_paths() -> None:
    """By depth of the last discrepancy; by their number; plain: by their greatest number, from the right (Figure 1)."""
    assert written("dds", 3) == ["000", "100", "200", "010", "110", "210"]
    assert written("ilds", 3) == ["000", "010", "100", "200", "110", "210"]
    twice = ["110", "100", "210", "200", "010", "000"]
    assert written("lds", 3) == ["000", "100", "200", "010", "000", *twice, *twice]
