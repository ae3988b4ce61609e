"""Worlds made from a claim's definition and a few words from its sentence.

A study's ``worlds.py`` holds ``LOWER = {"claim-id": "a < b"}``: which policy has the lower value. The words do not come from
``expect``, so that a flipped sign, an exchanged pair or another number fails.

``a, b < c < d``
    Names of policies, workloads, metrics or scopes, as patterns; the smaller first.
``a ~ b``
    Both have the same, or a has at most slightly more; it would be false if a had much more.
``a < b by 20``
    A number that the sentence states: in per cent of the pair's second, or in the claim's unit where it is about differences.
``a/b: c < d``
    Where a claim compares two comparisons: a over b is less for c than for d.
``> 90``, ``< 5``, ``~ 20``
    Levels.

Claims on printed numbers and on rules need no words (:data:`MADE`). A study may say of its own measures how to make a world
without words (``MADE``), and how to put the mean of a cell into a world where it is no measurement (``PUT``).
"""

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from itertools import product
from types import ModuleType
from typing import Any

from reports.ledger.measures import measure_of, parameters_given
from reports.measure.queries import pairs
from tests.reports.ledger.world import Scene, World, drawn, scene

BASE, PARTS, STEP, FAR = 100.0, 0.5, 0.6, 3
"""The greatest mean of a world, and of a world of parts; a mean over the next greater one; a wrong number over the right one."""

TWO_SIDED = ("between", "prints", "prints_between", "near")
"""Bands that a value can miss on both sides."""

Given = dict[str, Any]
"""The parameters of a measure."""
Cell = tuple[str, str, str, str]
"""Workload, policy, metric and scope."""
Means = dict[Cell, float]
Put = Callable[[World, Cell, list[float]], None]


def compared(given: Given) -> tuple[list[tuple[Cell, Cell]], set[Cell]]:
    """Return the cells that a claim says to differ, as pairs, and those that are the same for all."""
    against = given.get("against") or list(product(given["policies"], given["others"]))
    metrics = given.get("metrics") or [given.get("metric") or given["what"]]
    others = [pairs(names) for names in (given["workloads"], metrics, given.get("scopes", ["all"]))]
    if "than" not in given:
        found = ((w, p, m, s) for p in against for w, m, s in product(*others))
        return [tuple(zip(*each, strict=True)) for each in found], set()  # type: ignore[misc]
    differing, same = [], set()
    for (p, than), w, m, s in product(zip(against, given["than"], strict=True), *others):
        differing.append(((w[0], p[0], m[0], s[0]), (w[1], than[0], m[1], s[1])))
        same |= {(w[0], p[1], m[0], s[0]), (w[1], than[1], m[1], s[1])}
    return differing, same


def read_order(order: str) -> tuple[list[list[str]], str, float | None]:
    """Return the sides of an order, the smaller first, its sign, and the number that the sentence states."""
    words, _, number = order.rpartition(": ")[2].partition(" by ")
    sign = next(sign for sign in "<~" if f" {sign} " in words)
    return [side.split(", ") for side in words.split(f" {sign} ")], sign, float(number) if number else None


def is_named(cell: Cell, names: list[str]) -> bool:
    """Say whether one of the patterns names a cell."""
    return any(fnmatchcase(of, name) for of in cell for name in names)


def side_of(cell: Cell, sides: list[list[str]]) -> int:
    """Return the side on which a cell is."""
    found = [place for place, names in enumerate(sides) if is_named(cell, names)]
    assert len(found) == 1, f"{cell} is on {len(found)} sides of {sides}"
    return found[0]


def means_of(given: Given, order: str) -> Iterator[Means]:
    """Yield the means of cells where a sentence is true, and then where it is false."""
    differing, others = compared(given)
    sides, sign, number = read_order(order)
    place = {cell: side_of(cell, sides) for pair in differing for cell in pair}
    assert all(place[a] != place[b] for a, b in differing), "a pair is on one side"
    assert not others & place.keys(), "a cell is both compared and the same for all"
    if others:
        mine, theirs = (names.split(", ") for names in order.partition(": ")[0].split("/"))
        assert all(is_named(cell, mine) for cell in place)
        assert all(is_named(cell, theirs) for cell in others)
    change = given.get("change", "ratio")
    base = PARTS if change.startswith("points") else BASE
    fixed = dict.fromkeys(others, base)
    if sign == "~":
        for part in (1, FAR, 1 / FAR):
            yield fixed | {cell: base * (1 if side else part) for cell, side in place.items()}
    elif number is None:
        levels = [base * STEP**below for below in reversed(range(len(sides)))]
        yield fixed | {cell: levels[side] for cell, side in place.items()}
        yield fixed | {cell: levels[-1 - side] for cell, side in place.items()}
    else:
        (low,) = {place[a] < place[b] for a, b in differing}
        unit = {"difference": 1.0, "points more": 0.01, "points less": 0.01}.get(change, base / 100)
        for apart in (number, -number, FAR * number):
            mean = base + apart * unit * (-1 if low else 1)
            yield {cell: mean if (side == 0) == low else base for cell, side in place.items()}


def levels_of(given: Given, order: str) -> Iterator[Means]:
    """Yield the levels of cells where a sentence is true, and then where it is false."""
    cells = list(product(given["workloads"], given["policies"], given["metrics"], given["scopes"]))
    sign, number = order.split()
    for part in {">": (0.2, -0.5), "<": (-0.2, 1.0), "~": (0.0, -0.7, 2.0)}[sign]:
        level = float(number) + part * (float(number) or 1)
        yield dict.fromkeys(cells, max(level, 0) * given["divisor"])


def put_measurements(world: World, cell: Cell, values: list[float], per: str = "run") -> None:
    """Put the measurements of a cell into a world."""
    workload, policy, metric, scope = cell
    (world.unit_metric if per == "unit" else world.metric)(workload, policy, metric, values, scope=scope)


@scene
def measured(world: World, means: Means, put: Put = put_measurements) -> None:
    """Make a world in which cells have these means."""
    for place, (cell, mean) in enumerate(means.items()):
        put(world, cell, drawn(mean, place))


@scene
def as_printed(world: World, given: Given, part: float, place: str = "*") -> None:
    """Make a world in which runs, or the first of each pair, have so many times what ``printed.csv`` says of them at a place."""
    if "against" in given:
        differing, _ = compared(given)
        second = {b for _, b in differing}
        cells = dict.fromkeys(second, 1.0) | {a: part for a, _ in differing if a not in second}
    else:
        cells = dict.fromkeys(product(*(given[key] for key in ("workloads", "policies", "metrics", "scopes"))), part)
    of = {"source": given["source"]} if "source" in given else {}
    found: dict[Cell, list[float]] = {}
    for row in world.quote(lambda row: row if fnmatchcase(row["place"], place) else None, **of):
        cell = row["workload"], row["policy"], row["metric"], row["scope"]
        if cell in cells:
            found.setdefault(cell, []).append(row["value"])
    assert found, "nothing of this is printed"
    for number, (cell, values) in enumerate(found.items()):
        mean = cells[cell] * sum(values) / len(values)
        units = drawn(mean, number) if len(values) == 1 else [0.98 * mean, mean, 1.02 * mean]
        put_measurements(world, cell, units)


@scene
def violated(world: World, given: Given, part: float) -> None:
    """Make a world in which policies break rules, if ``part`` is not 1."""
    for policy, rule in product(given["policies"], given["rules"]):
        where = {"workload": "w", "policy": policy, "replication": 0}
        world.row("certificates", **where, rule=rule, checked=90, violations=part - 1)


MADE = {"printed": as_printed, "printed_ratio": as_printed, "broken_rules": violated}
"""Makers of worlds by measure. Each takes the parameters, and 1 for a true world or :data:`FAR` for a false one."""


def scenes_of(study: dict[str, Any], claim: dict[str, Any], worlds: ModuleType) -> list[Scene]:
    """Return a world in which a claim is true, and then worlds in which it is false; in the first of these surely."""
    own: dict[str, list[Scene]] = getattr(worlds, "WORLDS", {})
    if claim["id"] in own:
        return list(own[claim["id"]])
    name = str(measure_of(claim))
    given = parameters_given(claim, study["measures"][name])
    if make := (MADE | getattr(worlds, "MADE", {})).get(name):
        return [make(given, part) for part in (1, FAR)]
    order = order_of(claim["id"], worlds)
    assert order, (
        f"studies/{study['study']}/worlds.py has no world for claim '{claim['id']}': say in LOWER which has the lower value, as "
        f"'{claim['id']}': 'a < b', or give two worlds in WORLDS"
    )
    if name == "level":
        return [measured(means) for means in levels_of(given, order)]
    per = given.get("per", "run")
    put = getattr(worlds, "PUT", {}).get(name, lambda *of: put_measurements(*of, per=per))
    run = {tuple(cell) for cell in study["cells"]}
    made = [{cell: mean for cell, mean in means.items() if cell[:2] in run} for means in means_of(given, order)]
    return [measured(means, put) for means in made]


def order_of(claim: str, worlds: ModuleType) -> str:
    """Return what ``LOWER`` says of a claim, or '' where it says nothing."""
    return str(getattr(worlds, "LOWER", {}).get(claim, ""))


def two_sided(claim: dict[str, Any]) -> bool:
    """Say whether a claim's band has two sides."""
    quantifier, band = next(iter(claim["expect"].items()))
    return quantifier != "sides" and next(iter(band)) in TWO_SIDED
