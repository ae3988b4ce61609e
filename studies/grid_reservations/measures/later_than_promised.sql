-- Local jobs that end later than was predicted when they were submitted, over all local jobs that waited for a slot. Exact.
-- Parameters: $workloads; $policies. Unit: per cent.
SELECT w.label || ', ' || p.label AS label, 100 * sum(late) / sum(k.jobs) AS value
FROM kept_promises AS k
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE k.kind = 'local' AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
GROUP BY w.label, p.label, workload, policy
ORDER BY list_position($policies, policy), list_position($workloads, workload)
