-- First submission to last finish. Parameters: $workload; $policies. Unit: weeks; a replication each.
SELECT w.label || ': ' || p.label AS label, replication AS unit, value / (7 * 86400) AS value
FROM metrics
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE metric = 'makespan' AND scope = 'all' AND workload = $workload AND policy IN (SELECT unnest($policies))
ORDER BY p.position, unit
