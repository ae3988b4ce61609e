-- The largest makespan over the least that any scheduler can have, for machines of each size, or for each number of jobs.
-- Parameters: $policies; $by: processors, or jobs (of a batch). Exact.
SELECT counted || ' ' || $by AS label, max(ratio) AS value
FROM (SELECT *, if($by = 'processors', processors, jobs // replications) AS counted FROM batches JOIN workloads USING (workload))
WHERE policy IN (SELECT unnest($policies))
GROUP BY counted
ORDER BY counted
