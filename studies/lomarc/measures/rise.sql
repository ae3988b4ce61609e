-- How much higher a share of the processor time is under a heavier workload, replication by replication.
-- Parameters: $metric; $policies; $more and $less, the workloads, taken in pairs. Unit: points of per cent.
WITH steps AS (SELECT unnest($more) AS more, unnest($less) AS less)
SELECT
    w.label || ' against ' || v.label || ': ' || p.label AS label,
    replication AS unit, 100 * (a.value - b.value) AS value
FROM steps
JOIN metrics AS a ON a.workload = more
JOIN metrics AS b USING (policy, replication, metric, scope)
JOIN workloads AS w ON w.workload = more
JOIN workloads AS v ON v.workload = less
JOIN policies AS p USING (policy)
WHERE b.workload = less AND metric = $metric AND scope = 'all' AND policy IN (SELECT unnest($policies))
ORDER BY list_position($more, more), p.position, unit
