"""From logs and models to workloads."""


rule locate_log:
    """Say where a job log is, fetching it when need be; or say why it cannot be had."""
    input:
        file=PLAN.log_file,
        modules=PLAN.modules("traces/catalog.*", "traces/fetch.py"),
    output:
        location="{root}/logs/{log}.json",
    log:
        "logs/{root}/locate_log/{log}.log",
    localrule: True
    params:
        name=PLAN.log_name,
        required=PLAN.require_logs,
    message:
        "Locate the log {wildcards.log}"
    script:
        "../scripts/locate_log.py"


rule build_workload:
    """Make the jobs of a workload, all replications, from a log or a model."""
    input:
        location=PLAN.location,
        modules=PLAN.modules(
            "traces/**/*.py", "traces/catalog.yaml", "scheduler_core/contracts.py"
        ),
    output:
        jobs="{root}/workloads/{workload}.parquet",
        accounting="{root}/workloads/{workload}.accounting.json",
    log:
        "logs/{root}/build_workload/{workload}.log",
    group:
        "workloads"
    params:
        workload="{workload}",
        definition=PLAN.definition,
        seed=PLAN.seed,
    message:
        "Build the workload {wildcards.workload}"
    script:
        "../scripts/build_workload.py"
