"""From schedules to the store."""


rule build_store:
    """Load every run of a scale into DuckDB, and compute metrics, intervals and claims."""
    input:
        locations=lambda wildcards: PLAN.scale(wildcards).locations,
        stamps=lambda wildcards: PLAN.scale(wildcards).stamps,
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
        studies=lambda wildcards: PLAN.scale(wildcards).described,
    message:
        "Load the runs into {output.store}"
    script:
        "../scripts/build_store.py"
