-- The largest makespan over the least that any scheduler can have: the longest job, or the area of all jobs over the processors.
-- Parameters: $policies; $of, each workload or all of them. Exact.
SELECT
    if($of = 'all', 'largest ratio found, ' || arg_max(w.label, ratio), any_value(w.label)) AS label, max(ratio) AS value
FROM batches
JOIN workloads AS w USING (workload)
WHERE policy IN (SELECT unnest($policies))
GROUP BY if($of = 'all', '', workload)
ORDER BY any_value(workload) LIKE 'batch-%' DESC, any_value(processors), any_value(workload)
