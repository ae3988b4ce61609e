-- How much more utilisation of all clusters is lost against the same draw without workflows where the longest jobs are split.
-- Parameters: $metric, the window; $policies; $workload and $longer, with as many workflows. Unit: points of per cent; a draw each.
SELECT p.label AS label, a.replication AS unit, 100 * (b.value - a.value) AS value
FROM metrics AS a
JOIN metrics AS b USING (policy, replication, metric, scope)
JOIN policies AS p USING (policy)
WHERE a.workload = $longer AND b.workload = $workload AND scope = 'all' AND metric = $metric AND policy IN (SELECT unnest($policies))
ORDER BY list_position($policies, policy), unit
