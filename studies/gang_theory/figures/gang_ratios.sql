-- The makespan over the least one, of workloads and policies whose ids match the patterns $workloads and $policies.
SELECT
    workload, workload_label, policy, policy_label, processors, ratio, makespan_s / 600 AS makespan, bound_s / 600 AS bound
FROM batches JOIN shown USING (workload, policy)
WHERE regexp_matches(workload, $workloads) AND regexp_full_match(policy, $policies)
ORDER BY position
