-- How much more of all clusters is used under a policy than under another, on the same workloads.
-- Parameters: $metric, the window; $policy; $versus; $workloads. Unit: points of per cent; a draw each.
SELECT w.label || ', ' || p.label || ' less ' || v.label AS label, replication AS unit, 100 * (m.value - n.value) AS value
FROM metrics AS m
JOIN metrics AS n USING (workload, replication, metric, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON p.policy = m.policy
JOIN policies AS v ON v.policy = n.policy
WHERE m.policy = $policy AND n.policy = $versus AND scope = 'all' AND metric = $metric AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, workload), unit
