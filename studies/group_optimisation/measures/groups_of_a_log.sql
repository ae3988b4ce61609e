-- Groups on a log over the mean of the synthetic workloads: two values per batch of the log's jobs, whose means have the ratio,
-- counted as if all batches were alike. Parameters: $workload, a log; $policy.
SELECT
    w.label || ' over the synthetic workloads' AS label, batch AS unit, groups * count(*) OVER () AS value,
    (
        SELECT avg(value) FROM run_values
        WHERE workload LIKE 'seed-%' AND policy = $policy AND scope = 'all' AND metric = 'groups'
    ) AS versus
FROM batch_groups JOIN workloads AS w USING (workload)
WHERE workload = $workload AND policy = $policy
ORDER BY unit
