-- Jobs that end later than was predicted when they were submitted or booked, over all jobs with a prediction. Exact.
-- Parameters: $kind (local or task); $workloads; $policies. Unit: per cent.
SELECT w.label || ', ' || p.label AS label, 100 * sum(late) / sum(k.jobs) AS value
FROM kept_promises AS k
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE k.kind = $kind AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
GROUP BY w.label, p.label, workload, policy
ORDER BY list_position($policies, policy), list_position($workloads, workload)
