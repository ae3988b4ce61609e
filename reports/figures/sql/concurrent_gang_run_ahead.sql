-- Slices of jobs that were run ahead, for each slice of the machine, a row per draw.
SELECT
    workload, workload_label, policy, policy_label, replication AS unit,
    (counters ->> 'fast_slices')::DOUBLE / (counters ->> 'slices')::DOUBLE AS value
FROM runs
JOIN shown USING (workload, policy)
WHERE NOT regexp_matches(workload, '-load-')
ORDER BY workload_label, position, unit
