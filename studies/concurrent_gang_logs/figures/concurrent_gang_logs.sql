-- What systems come to on jobs of several sources by load, a row per draw; and the load of what was submitted until the end of the run.
SELECT
    split_part(workload_label, ', ', 1) AS source, 100 * target_load AS load, policy, policy_label,
    workload || ' ' || run_values.replication AS unit, metric, run_values.value,
    (
        SELECT 100 * sum(size::HUGEINT * runtime_us) / (activity.end_s * 1e6 * any_value(workloads.processors))
        FROM jobs JOIN workloads USING (workload)
        WHERE (jobs.workload, jobs.policy, jobs.replication) = (activity.workload, activity.policy, activity.replication)
            AND submit_us <= activity.end_s * 1e6
    ) AS came
FROM run_values
JOIN shown USING (workload, policy)
JOIN activity USING (workload, policy, replication)
WHERE metric IN (SELECT unnest($metrics)) AND scope = 'all' AND whole
ORDER BY list_position($metrics, metric), kind = 'log', source, load, position, unit
