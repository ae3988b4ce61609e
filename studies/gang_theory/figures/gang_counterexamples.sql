-- The makespan over the least one, with and without filling, where filling matters.
SELECT workload, workload_label, policy, policy_label, processors, ratio, makespan_s / 600 AS makespan, bound_s / 600 AS bound
FROM batches JOIN shown USING (workload, policy)
WHERE workload LIKE 'long-thin-%' OR workload LIKE 'tall-and-thin-%'
ORDER BY position
