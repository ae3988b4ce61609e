-- A mean over that of the same draw without workflows, in which the jobs that are split are local ones: two values per draw, whose
-- means have the ratio.
-- Parameters: $metric; $scopes, of which jobs; $policies; $workloads. Unit: none.
SELECT
    w.label || ': ' || replace(scope, 'task ', 'tasks, ') || if(len($policies) = 1, '', ', ' || p.label) AS label,
    m.replication AS unit, m.value, n.value AS versus
FROM metrics AS m
JOIN metrics AS n USING (replication, metric, scope)
JOIN workloads AS w ON w.workload = m.workload
JOIN policies AS p ON p.policy = m.policy
WHERE n.workload = 'p-0' AND n.policy = 'no-workflows'
    AND m.workload IN (SELECT unnest($workloads)) AND m.policy IN (SELECT unnest($policies))
    AND metric = $metric AND scope IN (SELECT unnest($scopes))
ORDER BY list_position($policies, m.policy), list_position($scopes, scope), list_position($workloads, m.workload), unit
