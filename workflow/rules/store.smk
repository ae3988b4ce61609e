"""From schedules to the store."""


rule build_store:
    """Load every run of a scale into DuckDB, and work out metrics, intervals and claims."""
    input:
        locations=PLAN.locations,
        workloads=PLAN.jobs,
        runs=PLAN.runs,
        modules=PLAN.sources(
            "reports.build", "reports/measure/sql/*.sql", "scheduler_core/*/family.py"
        ),
    output:
        store="{root}/slotwise.duckdb",
    log:
        "logs/{root}/build_store.log",
    group:
        "report"
    params:
        root="{root}",
        studies=PLAN.described,
    message:
        "Load the runs into {output.store}"
    script:
        "../scripts/build_store.py"
