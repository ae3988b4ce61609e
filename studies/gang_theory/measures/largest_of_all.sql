-- The largest makespan over the least that any scheduler can have, of all workloads together.
-- Parameters: $policies.
SELECT 'largest ratio found, ' || arg_max(workloads.label, ratio) AS label, max(ratio) AS value
FROM batches
JOIN workloads USING (workload)
WHERE policy IN (SELECT unnest($policies))
HAVING count(*) > 0
