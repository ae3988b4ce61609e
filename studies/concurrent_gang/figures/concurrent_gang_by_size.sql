-- What jobs of one task and of several did in each run, a row per draw: jobs completed, and processor time (h) that the local
-- scheduler gave them; times a task blocked, barriers passed and messages received.
SELECT
    workload, workload_label, policy, policy_label, replication AS unit, one_task,
    sum(completed)::DOUBLE AS completed, sum(local_ns)::DOUBLE / 3.6e12 AS local_h, sum(blocked)::DOUBLE AS blocked,
    sum(if(barriers > 0, barriers, messages))::DOUBLE AS waits
FROM application_sums
JOIN shown USING (workload, policy)
WHERE workload IN (SELECT unnest($workloads))
GROUP BY ALL
ORDER BY list_position($workloads, any_value(shown.workload)), any_value(position), unit, one_task DESC
