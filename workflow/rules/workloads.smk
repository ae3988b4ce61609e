"""From logs and models to workloads."""


rule locate_log:
    """Say where a job log is, fetching it when need be; or say why it cannot be had."""
    input:
        file=PLAN.log_file,
        modules=PLAN.sources("workflow.logs", "traces/catalog.yaml"),
    output:
        location="{root}/logs/{log}.json",
    log:
        "logs/{root}/locate_log/{log}.log",
    localrule: True
    params:
        name=PLAN.at("logs", "log"),
        required=PLAN.require_logs,
    message:
        "Locate the log {wildcards.log}"
    script:
        "../scripts/locate_log.py"


for batch in PLAN.workload_batches:

    rule:
        """Make the jobs of some workloads, all replications, from a log or from models."""
        name:
            batch.name
        input:
            location=batch.logs,
            tables=batch.tables,
            modules=PLAN.sources("traces.build", "traces/models/*.py", "traces/catalog.yaml"),
        output:
            batch.files,
        log:
            f"logs/{batch.root}/{batch.name}.log",
        params:
            workloads=batch.workloads,
        message:
            f"Build workloads: {batch.title}"
        script:
            "../scripts/build_workloads.py"
