-- A mean under some policies over that under others, on the same workloads: two values per draw, whose means have the ratio.
-- Parameters: $metric; $scopes, of which jobs; $policies and $versus, taken in pairs; $workloads. Unit: none.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    w.label || ', ' || if(m.scope = 'all', '', m.scope || ': ') || p.label || ' over ' || v.label AS label,
    m.replication AS unit, m.value, n.value AS versus
FROM pairs
JOIN metrics AS m USING (policy)
JOIN metrics AS n ON n.policy = versus_policy AND (n.workload, n.replication, n.metric, n.scope) = (m.workload, m.replication, m.metric, m.scope)
JOIN workloads AS w ON w.workload = m.workload
JOIN policies AS p ON p.policy = m.policy
JOIN policies AS v ON v.policy = n.policy
WHERE m.workload IN (SELECT unnest($workloads)) AND m.metric = $metric AND m.scope IN (SELECT unnest($scopes))
ORDER BY list_position($policies, m.policy), list_position($scopes, m.scope), list_position($workloads, m.workload), unit
