"""From logs and models to workloads."""


rule locate_log:
    """Write where a job log is, after fetching it if necessary, or why it is missing."""
    input:
        file=PLAN.log_file,
        modules=PLAN.sources("workflow.logs", "traces/catalog.yaml"),
    output:
        location="{root}/logs/{log}.json",
    log:
        "logs/{root}/locate_log/{log}.log",
    localrule: True
    params:
        name=lambda wildcards: PLAN.scale(wildcards).logs[wildcards.log],
        required=PLAN.require_logs,
    message:
        "Locate the log {wildcards.log}"
    script:
        "../scripts/locate_log.py"


rule build_workloads:
    """Make all replications of some workloads, from a log or from models."""
    input:
        location=lambda wildcards: collect(
            "{root}/logs/{log}.json", root=wildcards.root, log=PLAN.workloads(wildcards).logs
        ),
        tables=lambda wildcards: PLAN.workloads(wildcards).tables,
        modules=PLAN.sources("traces.build", "traces/models/*.py", "traces/models/*.json", "traces/catalog.yaml"),
    output:
        stamp="{root}/stamps/workloads/{batch}.json",
    log:
        "logs/{root}/build_workloads/{batch}.log",
    params:
        root="{root}",
        workloads=lambda wildcards: PLAN.workloads(wildcards).workloads,
        title=lambda wildcards: PLAN.workloads(wildcards).title,
    message:
        "Build workloads: {params.title}"
    script:
        "../scripts/build_workloads.py"
