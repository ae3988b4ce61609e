-- Metrics of some jobs under policies on workloads, a row per draw.
-- Parameters: $workloads, $policies, $metrics, $scopes.
SELECT workload, w.label AS workload_label, policy, p.label AS policy_label, metric, scope, m.unit, value
FROM measured('run') AS m JOIN workloads AS w USING (workload) JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
    AND metric IN (SELECT unnest($metrics)) AND scope IN (SELECT unnest($scopes))
ORDER BY list_position($metrics, metric), list_position($scopes, scope), list_position($workloads, workload),
    list_position($policies, policy), m.unit
