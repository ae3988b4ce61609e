-- The largest makespan over the least that any scheduler can have, of each workload.
-- Parameters: $policies. The least makespan is the longest job, or the area of all jobs over the processors. Simulated exactly.
SELECT workloads.label, max(ratio) AS value
FROM batches
JOIN workloads USING (workload)
WHERE policy IN (SELECT unnest($policies))
GROUP BY workload, workloads.label, processors
ORDER BY workload LIKE 'batch-%' DESC, processors, workload
