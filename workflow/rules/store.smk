"""From schedules to the store."""


rule build_store:
    """Load every run of a scale into DuckDB, and work out metrics, intervals and claims."""
    input:
        locations=collect("{{root}}/logs/{log}.json", log=PLAN.at("logs")),
        workloads=collect(
            "{{root}}/workloads/{workload}.{file}",
            workload=PLAN.at("workloads"),
            file=["parquet", "accounting.json"],
        ),
        runs=PLAN.at("notes"),
        modules=PLAN.sources(
            "reports.build",
            "reports/families/*/measures.py",
            "reports/measure/sql/*.sql",
            "reports/families/*/*.sql",
            "scheduler_core/*/family.py",
        ),
    output:
        store="{root}/slotwise.duckdb",
    log:
        "logs/{root}/build_store.log",
    group:
        "report"
    params:
        root="{root}",
        studies=PLAN.at("described"),
    message:
        "Load the runs into {output.store}"
    script:
        "../scripts/build_store.py"
