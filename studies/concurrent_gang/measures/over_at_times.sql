-- What one scheduler has done by a quarter of the run, over what another has, on the same jobs: two values per draw, whose
-- means have the ratio.
--
-- $what                 completed, completed with one task: jobs; idle: processor time without a running task, or with one that
--                       spins; without a task: the first alone; compute, disk: time in which processors computed, disks served
-- $workloads            ids of workloads
-- $policies, $versus    the schedulers, taken in pairs
-- $quarters             of the run: 4 is all of it
-- Unit of analysis: a draw of the jobs.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy),
done AS (
    SELECT
        workload, policy, replication, end_s, 4 * end_s / max(end_s) OVER run AS quarter,
        CASE $what
            WHEN 'completed' THEN completed
            WHEN 'completed with one task' THEN one_task_completed
            WHEN 'idle' THEN idle_time_spin_idle
            WHEN 'without a task' THEN idle_time_spin_busy
            WHEN 'compute' THEN compute_share
            WHEN 'disk' THEN disk_utilisation
        END AS value
    FROM activity
    WINDOW run AS (PARTITION BY workload, policy, replication)
)
SELECT
    w.label || ', ' || p.label || ' over ' || v.label || format(' after {:,} s', a.end_s::INTEGER) AS label,
    a.replication AS unit, a.value::DOUBLE AS value, b.value::DOUBLE AS versus
FROM pairs
JOIN done AS a USING (policy)
JOIN done AS b ON b.policy = versus_policy AND (b.workload, b.replication, b.end_s) = (a.workload, a.replication, a.end_s)
JOIN workloads AS w ON w.workload = a.workload
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = versus_policy
WHERE a.workload IN (SELECT unnest($workloads)) AND a.quarter IN (SELECT unnest($quarters))
ORDER BY list_position($workloads, a.workload), list_position($policies, a.policy), list_position($versus, versus_policy), a.end_s, unit
