"""From workloads to checked schedules: a cell (workload and policy) a job."""


rule compile_kernels:
    """Compile the event loops of a family once, before many jobs would do so at the same time."""
    input:
        modules=PLAN.engine,
    output:
        stamp="{root}/kernels/{family}.json",
    log:
        "logs/{root}/compile_kernels/{family}.log",
    message:
        "Compile the event loops of {wildcards.family}"
    script:
        "../scripts/compile_kernels.py"


rule simulate_cell:
    """Run every replication of a workload under a policy, and prove the schedules legal."""
    input:
        jobs="{root}/workloads/{workload}.parquet",
        kernels=PLAN.compiled,
        policy=PLAN.policy_file,
    output:
        jobs="{root}/runs/{workload}/{policy}/jobs.parquet",
        allocations="{root}/runs/{workload}/{policy}/allocations.parquet",
        run="{root}/runs/{workload}/{policy}/run.json",
        certificate="{root}/runs/{workload}/{policy}/certificate.json",
        timing="{root}/runs/{workload}/{policy}/timing.json",
    log:
        "logs/{root}/simulate_cell/{workload}.{policy}.log",
    benchmark:
        "benchmarks/{root}/simulate_cell/{workload}.{policy}.tsv"
    group:
        "cells"
    params:
        policy=PLAN.policy_name,
        parameters=PLAN.parameters,
        folder="{root}/runs/{workload}/{policy}",
    message:
        "Run {wildcards.workload} under {wildcards.policy}"
    script:
        "../scripts/simulate_cell.py"
