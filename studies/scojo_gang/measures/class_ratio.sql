-- Bounded slowdown of one class of jobs over that of another under the same strategy: the ratio of their means over instances.
-- Parameters: $workloads; $policies; $scopes and $versus, taken in pairs (class=long, flexibility=rigid, ...). Unit: none.
WITH pairs AS (SELECT unnest($scopes) AS scope, unnest($versus) AS versus_scope)
SELECT
    w.label || ', ' || p.label || ': ' || split_part(a.scope, '=', 2) || ' over ' || split_part(b.scope, '=', 2) || ' jobs' AS label,
    replication AS unit, a.value AS value, b.value AS versus
FROM pairs
JOIN metrics AS a USING (scope)
JOIN metrics AS b USING (workload, policy, replication, metric)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE metric = 'mean_relative_response' AND b.scope = pairs.versus_scope
    AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
ORDER BY w.label, p.position, label, unit
