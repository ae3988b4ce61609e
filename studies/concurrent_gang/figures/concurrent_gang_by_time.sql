-- What was done by the tenths of each run, or by its end: jobs completed, idle time, a row per draw.
SELECT workload, workload_label, policy, policy_label, replication AS unit, end_s, value
FROM (
    SELECT
        *, 10 * end_s / max(end_s) OVER (PARTITION BY workload, policy, replication) AS tenth,
        CASE $what WHEN 'completed' THEN completed WHEN 'idle' THEN idle_time_spin_idle END::DOUBLE AS value
    FROM activity
)
JOIN shown USING (workload, policy)
WHERE workload IN (SELECT unnest($workloads)) AND tenth = round(tenth) AND (NOT $at_end OR tenth = 10)
ORDER BY list_position($workloads, workload), position, unit, end_s
