-- Jobs that end later than was predicted when they were submitted or booked, over all jobs with a prediction. Exact.
-- Parameters: $kinds (local, task); $workloads; $policies. Unit: per cent.
SELECT
    w.label || ', ' || p.label || if(len($kinds) = 1, '', if(k.kind = 'task', ': tasks', ': local jobs')) AS label,
    100 * sum(late) / sum(k.jobs) AS value
FROM kept_promises AS k
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
WHERE k.kind IN (SELECT unnest($kinds)) AND workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
GROUP BY w.label, p.label, workload, policy, k.kind
ORDER BY list_position($kinds, k.kind), list_position($policies, policy), list_position($workloads, workload)
