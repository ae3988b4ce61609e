-- By how much a metric is more with one policy than with another on the same jobs.
-- Parameters: $metric; $policy and $versus; $workloads. Unit: per cent (two values a replication: the difference and what it is a part of).
SELECT w.label, replication AS unit, 100 * (m.value - n.value) AS value, n.value AS versus
FROM metrics AS m
JOIN metrics AS n USING (workload, replication, metric, scope)
JOIN workloads AS w USING (workload)
WHERE m.policy = $policy AND n.policy = $versus AND metric = $metric AND scope = 'all' AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, workload), unit
