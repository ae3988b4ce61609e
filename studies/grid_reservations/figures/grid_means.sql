-- What policies come to by some metrics of some jobs on some workloads, a row per draw.
SELECT workload, w.label AS workload_label, policy, p.label AS policy_label, metric, scope, m.replication AS unit, m.value
FROM metrics AS m JOIN workloads AS w USING (workload) JOIN policies AS p USING (policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
    AND metric IN (SELECT unnest($metrics)) AND scope IN (SELECT unnest($scopes))
ORDER BY list_position($metrics, metric), list_position($scopes, scope), list_position($policies, policy),
    list_position($workloads, workload), unit
