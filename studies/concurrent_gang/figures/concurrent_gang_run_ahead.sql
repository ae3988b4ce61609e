-- Slices of jobs that were run ahead, for each slice of the machine, a row per draw; place is that of the policy among those of
-- its workload.
WITH ahead AS (
    SELECT
        workload, workload_label, policy, policy_label, position, replication AS unit,
        (counters ->> 'fast_slices')::DOUBLE / (counters ->> 'slices')::DOUBLE AS value
    FROM runs
    JOIN shown USING (workload, policy)
    WHERE NOT regexp_matches(workload, '-load-|-8$')
),
present AS (FROM ahead QUALIFY max(value) OVER (PARTITION BY workload, policy) > 0)
SELECT
    workload, workload_label, policy, policy_label, dense_rank() OVER (PARTITION BY workload ORDER BY position) AS place, unit, value
FROM present
ORDER BY starts_with(workload, 'chapter-6'), workload_label, position, unit
