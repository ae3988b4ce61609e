-- The makespan over the least one, on the adversary's workloads, by machine.
SELECT workload, workload_label, policy, policy_label, processors, ratio, 2 * processors / (processors + 2) AS formula
FROM batches JOIN shown USING (workload, policy)
WHERE workload LIKE 'equal-halves-%' AND policy = 'gang-ffd'
ORDER BY processors
