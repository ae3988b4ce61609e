"""Rows of the figures of group optimisation: metrics by draw, gains by draw, and tables beside those of the thesis."""

import re

import duckdb

from reports.draw.charts import Row, queries_of
from reports.measure.queries import pairs as twice

rows_of = queries_of(__file__)

SEEDS = ["seed-71", "seed-31", "seed-73", "seed-35", "seed-7"]
EVERY_SEED = [*SEEDS, "seed-13"]
LOGS = ["sdsc-blue-first", "lanl-cm5-first"]
CLASSES = ["short", "medium", "long"]
BOUNDED = "mean_bounded_slowdown_600"


def draws_of(
    connection: duckdb.DuckDBPyConnection, policies: list[str], metrics: list[str], scopes: list[str],
    divisor: float = 1, workloads: list[str] | None = None,
) -> list[Row]:  # fmt: skip
    """Return metrics of classes of jobs, a row per draw."""
    asked = {"policies": policies, "metrics": metrics, "scopes": scopes, "workloads": workloads or [*SEEDS, *LOGS]}
    return [
        {"workload_label": row["workload_label"], "policy_label": row["policy_label"], "metric": row["metric"],
         "job_class": row["scope"], "unit": f"{row['workload']}/{row['unit']}", "value": row["value"] / divisor}
        for row in rows_of(connection, "draws", **asked)
    ]  # fmt: skip


def gains_of(
    connection: duckdb.DuckDBPyConnection, against: dict[str, str], metrics: list[str], scopes: list[str]
) -> list[Row]:
    """Return by how many per cent policies lower metrics of classes of jobs, a row per draw; synthetic workloads are one."""
    asked = {
        "against": [list(pair) for pair in against.items()], "workloads": twice([*EVERY_SEED, *LOGS]),
        "metrics": twice(metrics), "scopes": twice(scopes),
    }  # fmt: skip
    found = [
        {"of": row["workload_label"] if row["kind"] == "log" else "Synthetic workloads", "policy": row["policy"],
         "metric": row["metric"], "job_class": row["scope"], "unit": f"{row['workload']}/{row['unit']}",
         "value": 100 * (1 - row["value"] / row["versus"])}
        for row in rows_of(connection, "draws_against", **asked)
    ]  # fmt: skip
    return sorted(found, key=lambda row: (*synthetic_first(row), list(against).index(row["policy"])))


def tables_of(
    connection: duckdb.DuckDBPyConnection, panels: dict[str, str], policies: list[str], workloads: list[str]
) -> list[Row]:
    """Return metrics of groups beside what the tables of the thesis print, with the panel of each."""
    asked = {"metrics": list(panels), "policies": policies, "workloads": workloads}
    found = rows_of(connection, "group_tables", **asked)
    return [{**row, "panel": panels[row["metric"]]} for row in found]


def ratios_by_sizes(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the mean bounded slowdown by the largest sizes of groups, over that at M20 L30 on the same jobs."""
    names = connection.execute(
        r"SELECT policy FROM policies WHERE regexp_full_match(policy, 'pect_o_m\d+_l\d+')"
    ).fetchall()
    sizes = {"pect_o": [20, 30]} | {name: [int(size) for size in re.findall(r"\d+", name)] for (name,) in names}
    asked = {
        "against": [[policy, "pect_o"] for policy in sizes], "workloads": twice(seed.replace("seed", "one") for seed in SEEDS),
        "metrics": twice([BOUNDED]), "scopes": twice(["medium", "long"]),
    }  # fmt: skip
    found = [
        {"medium": sizes[row["policy"]][0], "long": sizes[row["policy"]][1], "job_class": row["scope"],
         "unit": f"{row['workload']}/{row['unit']}", "value": row["value"] / row["versus"]}
        for row in rows_of(connection, "draws_against", **asked)
    ]  # fmt: skip
    return sorted(found, key=lambda row: (row["job_class"] == "long", row["medium"], row["long"], row["unit"]))


def gains_on_logs(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return what ordering groups gains on the logs, by class of job and by shares and estimates."""
    asked = {
        "against": [["pect_o", "pect"], ["pect_o_sdsc_shares", "pect_sdsc_shares"], ["pect_o_lanl_shares", "pect_lanl_shares"]],
        "workloads": twice([*LOGS, *(f"{log}-users" for log in LOGS)]), "metrics": twice([BOUNDED]), "scopes": twice(CLASSES),
    }  # fmt: skip
    found = [
        {"log": "SDSC-BLUE" if row["workload"].startswith("sdsc") else "LANL-CM5",
         "setting": "users' estimates" if row["workload"].endswith("-users") else
                    "shares by the log's work" if row["policy"].endswith("shares") else "as in the thesis",
         "job_class": row["scope"], "value": 100 * (1 - row["value"] / row["versus"])}
        for row in rows_of(connection, "draws_against", **asked)
    ]  # fmt: skip
    return sorted(found, key=lambda row: (row["log"] != "SDSC-BLUE", CLASSES.index(row["job_class"]), row["setting"]))


def synthetic_first(row: Row) -> tuple[bool, str]:
    """Return what puts the synthetic workloads before the logs."""
    return row["of"] != "Synthetic workloads", row["of"]
