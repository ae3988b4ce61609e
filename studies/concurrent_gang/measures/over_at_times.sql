-- What A has done by parts of the run, over what B has, on the same jobs: two values per draw, whose means have the ratio.
-- Parameters: $against, pairs of schedulers; $workloads; $percent, parts of the run (100: all of it); $what: completed, completed with
-- one task (jobs), idle (processor time without a running task, or with one that spins), compute, disk (time in which processors
-- computed, disks served). Parts of a run end at 10,000 s or later, where the figures of chapter 6 begin. Unit of analysis: a draw of
-- the jobs.
WITH done AS (
    SELECT
        workload, policy, replication, end_s, round(100 * end_s / max(end_s) OVER run) AS percent,
        CASE $what
            WHEN 'completed' THEN completed
            WHEN 'completed with one task' THEN one_task_completed
            WHEN 'idle' THEN idle_time_spin_idle
            WHEN 'compute' THEN compute_share
            WHEN 'disk' THEN disk_utilisation
        END::DOUBLE AS value
    FROM activity
    WINDOW run AS (PARTITION BY workload, policy, replication)
)
SELECT
    w.label || ', ' || over(p.label, v.label) || format(' after {:,} s', a.end_s::INTEGER) AS label,
    a.replication AS unit, a.value, b.value AS versus
FROM pairs_of($against) AS pair
JOIN done AS a ON a.policy = pair.mine
JOIN done AS b ON b.policy = pair.theirs AND b.workload = a.workload AND b.replication = a.replication AND b.end_s = a.end_s
JOIN pairs_of($workloads) AS place ON place.mine = a.workload
JOIN workloads AS w ON w.workload = a.workload
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = b.policy
WHERE a.percent IN (SELECT unnest($percent)) AND (a.percent = 100 OR a.end_s >= 10000)
ORDER BY place.place, pair.place, a.end_s, unit
