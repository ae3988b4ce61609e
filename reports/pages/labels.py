"""Distinct names of workloads and policies for lists that cover all studies."""

from collections import Counter

import duckdb

from reports.draw.vocabulary import count


def workload_labels(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the label of each workload by its id; equal labels are distinguished by their numbers of jobs."""
    found = connection.execute("SELECT workload, label, jobs FROM workloads ORDER BY workload").fetchall()
    return told_apart({name: (label, f"{count(jobs or 0)} jobs") for name, label, jobs in found})


def policy_labels(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the label of each policy by its id; equal labels are distinguished by their families."""
    found = connection.execute(
        "SELECT policy, policies.label, families.label FROM policies LEFT JOIN families USING (family) ORDER BY policy"
    ).fetchall()
    return told_apart({name: (label, family or "") for name, label, family in found})


def told_apart(known: dict[str, tuple[str, str]]) -> dict[str, str]:
    """Return labels by id; equal ones get their distinction in brackets or, if that is equal too, the id."""
    labels = Counter(label for label, _ in known.values())
    both = Counter(known.values())
    return {
        name: label if labels[label] == 1 else f"{label} ({name if both[label, more] > 1 else more})"
        for name, (label, more) in known.items()
    }
