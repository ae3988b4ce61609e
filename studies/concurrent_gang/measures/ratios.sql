-- Metrics of a policy over those of another, on the same jobs: two values per draw, whose means have the ratio.
-- Parameters: $metrics; $policy and $versus; $workloads. Unit: none; a replication each.
WITH words (metric, word) AS (VALUES ('jobs_completed', 'throughput'), ('utilisation_spin_busy', 'utilisation'))
SELECT w.label || ', ' || word AS label, replication AS unit, m.value, n.value AS versus
FROM metrics AS m
JOIN metrics AS n USING (workload, replication, metric, scope)
JOIN words USING (metric)
JOIN workloads AS w USING (workload)
WHERE m.policy = $policy AND n.policy = $versus AND scope = 'all'
    AND metric IN (SELECT unnest($metrics)) AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($metrics, metric), list_position($workloads, workload), unit
