-- Waiting jobs that are left as candidates over those whose memory fits: what the conditions on kinds and on slowdown leave
-- together, beside the same of Table 5.
-- Parameters: $workloads; $policies. Unit: none (ratio of means over replications).
SELECT
    p.label || ', ' || w.label AS label, replication AS unit, a.value AS value, b.value AS versus,
    c.printed / d.printed AS printed, 1 AS digits
FROM metrics AS a
JOIN metrics AS b USING (workload, policy, replication, scope)
JOIN printed_values AS c USING (workload, policy, scope)
JOIN printed_values AS d USING (workload, policy, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE a.metric = 'mean_slowdown_fits' AND b.metric = 'mean_memory_fits' AND c.metric = a.metric AND d.metric = b.metric
    AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
ORDER BY p.position, list_position($workloads, workload), unit
