-- Part of the pairs of a strategy of one group and one of another in which the first has less of a metric, on the same jobs.
-- Parameters: $workloads; $metric; $policies; $others. Unit: per cent of the pairs.
SELECT w.label AS label, a.replication AS unit, 100 * avg((a.value < b.value)::INTEGER) AS value
FROM run_values AS a
JOIN run_values AS b USING (workload, replication, metric, scope)
JOIN workloads AS w USING (workload)
WHERE scope = 'all' AND metric = $metric AND workload IN (SELECT unnest($workloads))
    AND a.policy IN (SELECT unnest($policies)) AND b.policy IN (SELECT unnest($others))
GROUP BY w.label, a.replication
HAVING count(*) = len($policies) * len($others)
ORDER BY w.label, unit
