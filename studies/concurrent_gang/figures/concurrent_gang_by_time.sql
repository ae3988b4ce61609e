-- What was done by the fiftieths of each run, its tenths or its end: jobs completed, idle time, utilisation (%); a row per draw.
-- Parameters: $what; $workloads; $policies, or all without them; $parts: 50, 10 or 1.
SELECT workload, workload_label, policy, policy_label, replication AS unit, end_s, value
FROM (
    SELECT
        *, $parts * end_s / max(end_s) OVER (PARTITION BY workload, policy, replication) AS part,
        CASE $what WHEN 'completed' THEN completed WHEN 'idle' THEN idle_time_spin_idle
            WHEN 'utilisation' THEN 100 * utilisation_spin_busy END::DOUBLE AS value
    FROM activity
)
JOIN shown USING (workload, policy)
WHERE workload IN (SELECT unnest($workloads)) AND ($policies IS NULL OR list_contains($policies, policy))
    AND ($parts = 50 OR part = round(part))
ORDER BY list_position($workloads, workload), position, unit, end_s
