"""A claim that says which range its source prints says the range of the numbers that were copied from it."""

import csv
import re
from pathlib import Path

import pytest
import yaml

RANGE = re.compile(r"([\d.,]+) to ([\d.,]+)(?: %)?")


def stated():
    """Yield the claims on numbers of ``printed.csv`` whose ``printed`` is a range, as (study, claim)."""
    for path in sorted(Path("studies").glob("*/claims*.yaml")):
        for claim in yaml.safe_load(path.read_text()):
            if claim.get("measure") in ("printed", "printed_ratio") and RANGE.fullmatch(str(claim.get("printed", ""))):
                yield pytest.param(path.parent, claim, id=claim["id"])


@pytest.mark.parametrize(("study", "claim"), list(stated()))
def test_a_printed_range_has_the_least_and_the_greatest_number(study, claim):
    asked = claim["with"]
    with (study / "printed.csv").open() as file:
        rows = {
            (row["workload"], row["policy"], row["metric"]): float(row["printed"])
            for row in csv.DictReader(file)
            if row["source"] == asked["source"] and row["scope"] == "all"
        }
    runs = [
        (workload, policy) for workload in asked["workloads"] for policy in asked.get("policies", claim.get("against"))
    ]
    (metric,) = asked["metrics"]
    if claim["measure"] == "printed":
        values = [rows[*run, metric] for run in runs]
    else:
        values = [rows[*run, metric[0]] / rows[*run, metric[1]] for run in runs]
    low, high = (float(number.replace(",", "")) for number in RANGE.fullmatch(claim["printed"]).groups())
    assert (low, high) == pytest.approx((min(values), max(values)), abs=0.0051)  # two decimals of a ratio
