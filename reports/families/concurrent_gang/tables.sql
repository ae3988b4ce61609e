-- The tables of Concurrent Gang: activities of processors, and applications of jobs
-- (scheduler_core/concurrent_gang/family.py, reports/families/concurrent_gang/measures.py).

CREATE TABLE job_applications ( -- application of each job
    workload VARCHAR, replication INTEGER, job BIGINT,
    application VARCHAR         -- 'compute', 'io', 'messages', 'supersteps', 'barriers', 'irregular', 'program'
);

CREATE TABLE activity_sums ( -- activity of all processors from time 0 to the end of a period; the last row covers the run
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    end_us BIGINT,
    compute_ns HUGEINT, message_ns HUGEINT, spin_ns HUGEINT, switch_ns HUGEINT,
    blocked_ns HUGEINT,         -- no task ran, and the slice's owner waited
    empty_ns HUGEINT,           -- no task ran, and the slice had no owner here
    local_ns HUGEINT,           -- part of compute, message and spin in tasks that the local scheduler chose
    disk_ns HUGEINT,            -- time in which disks served requests
    submitted BIGINT, completed BIGINT, -- jobs submitted and completed by then
    one_task_submitted BIGINT, one_task_completed BIGINT, -- jobs of one task among them
    task_us HUGEINT,            -- tasks bound to processors x time
    row_us HUGEINT              -- rows of the matrix x time; null where allocations do not tell (DHC, places free as tasks end)
);

CREATE TABLE application_sums ( -- activity of the jobs of an application in a whole run, summed over jobs
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    application VARCHAR, one_task BOOLEAN, -- whether the jobs have one task or more
    jobs BIGINT, placed BIGINT, completed BIGINT, -- jobs submitted, placed and completed
    compute_ns HUGEINT, message_ns HUGEINT, spin_ns HUGEINT, switch_ns HUGEINT, local_ns HUGEINT, disk_ns HUGEINT,
    messages HUGEINT, barriers HUGEINT, requests HUGEINT, blocked HUGEINT, local_runs HUGEINT
);

CREATE VIEW activity AS -- activity_sums as shares and in seconds, by the end of each period
SELECT
    workload, policy, replication,
    end_us / 1e6 AS end_s,
    end_us = max(end_us) OVER (PARTITION BY workload, policy, replication) AS whole, -- the row is the whole run
    submitted, completed, one_task_submitted, one_task_completed,
    one_task_submitted / nullif(submitted, 0) AS one_task_submitted_share,
    one_task_completed / nullif(completed, 0) AS one_task_completed_share,
    (blocked_ns + empty_ns) / 1e9 AS idle_time_spin_busy, -- processor-seconds without a running task
    (blocked_ns + empty_ns + spin_ns) / 1e9 AS idle_time_spin_idle, -- the same and those in which the running task waited
    1 - (blocked_ns + empty_ns) / available_ns AS utilisation_spin_busy,
    1 - (blocked_ns + empty_ns + spin_ns) / available_ns AS utilisation_spin_idle,
    compute_ns / available_ns AS compute_share,
    message_ns / available_ns AS message_share,
    spin_ns / available_ns AS spin_share,
    switch_ns / available_ns AS switch_share,
    blocked_ns / available_ns AS blocked_share,
    empty_ns / available_ns AS empty_share,
    local_ns / nullif(compute_ns + message_ns + spin_ns, 0) AS local_share,
    disk_ns / available_ns AS disk_utilisation,
    task_us / (processors::HUGEINT * end_us) AS mean_tasks_per_processor,
    row_us / end_us AS mean_rows
FROM (
    SELECT *, compute_ns + message_ns + spin_ns + switch_ns + blocked_ns + empty_ns AS available_ns FROM activity_sums
) JOIN workloads USING (workload);
