-- The adversary of Theorem 4: the simulated ratio over that of the formula, 2n / (n + 2) on n processors.
-- Parameters: $policy: packing, by id.
SELECT workloads.label, ratio * (processors + 2) / (2 * processors) AS value
FROM batches
JOIN workloads USING (workload)
WHERE workload LIKE 'equal-halves-%' AND policy = $policy
ORDER BY processors, workload
