-- A metric of some policies under some workloads over that under others.
-- Parameters: $metric; $policies; $workloads and $others, taken in pairs. Unit: none. A draw of both workloads each, whose jobs are not
-- the same.
WITH pairs AS (SELECT unnest($workloads) AS workload, unnest($others) AS other, generate_subscripts($workloads, 1) AS place)
SELECT
    w.label || ' over ' || o.label || if(len($policies) = 1, '', ': ' || p.label) AS label,
    replication AS unit, m.value, n.value AS versus
FROM pairs
JOIN metrics AS m USING (workload)
JOIN metrics AS n USING (policy, replication, metric, scope)
JOIN workloads AS w ON w.workload = m.workload
JOIN workloads AS o ON o.workload = n.workload
JOIN policies AS p USING (policy)
WHERE n.workload = pairs.other AND metric = $metric AND scope = 'all' AND policy IN (SELECT unnest($policies))
ORDER BY place, p.position, unit
