-- A metric itself, in per cent.
-- Parameters: $metric; $policies; $workloads. Unit: per cent; a replication each.
SELECT w.label || ': ' || p.label AS label, replication AS unit, 100 * value AS value
FROM metrics
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE metric = $metric AND scope = 'all' AND policy IN (SELECT unnest($policies)) AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, workload), list_position($policies, policy), unit
