-- Processor time without a job, were it counted for one slice and set against a cycle of all slots: fragmentation over the mean
-- multiprogramming level. Parameters: $workloads; $policies. Unit: per cent.
SELECT
    w.label || ', ' || p.label || ', fragmentation over level' AS label,
    replication AS unit, 100 * a.value / b.value AS value
FROM metrics AS a
JOIN metrics AS b USING (workload, policy, replication, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE scope = 'all' AND a.metric = 'fragmentation' AND b.metric = 'mean_level'
    AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
ORDER BY w.label, p.position, unit
