-- The makespan over the least one, of workloads and policies whose ids match patterns; formula: of the adversary's workloads.
SELECT
    workload, workload_label, policy, policy_label, processors, ratio, makespan_s / 600 AS makespan, bound_s / 600 AS bound,
    2 * processors / (processors + 2) AS formula
FROM batches JOIN shown USING (workload, policy)
WHERE regexp_matches(workload, $workloads) AND regexp_full_match(policy, $policies)
ORDER BY position
