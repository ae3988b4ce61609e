-- Work that was done on jobs which had not ended, over all work that was done, with one policy over another. All jobs are of
-- input and output, whose work is computing and disk time, so that a job that ended has had its processors x run time of it.
-- Parameters: $policy and $versus; $workloads. Unit: none (two shares a replication).
WITH ended AS (
    SELECT workload, policy, replication, sum(1000 * size::HUGEINT * least(runtime_us, estimate_us)) AS work_ns
    FROM jobs WHERE finish_us IS NOT NULL GROUP BY ALL
),
shares AS (
    SELECT workload, policy, replication, 1 - coalesce(work_ns, 0) / (compute_ns + disk_ns) AS share
    FROM activity_sums LEFT JOIN ended USING (workload, policy, replication)
    QUALIFY end_us = max(end_us) OVER (PARTITION BY workload, policy, replication)
)
SELECT w.label, replication AS unit, m.share AS value, n.share AS versus
FROM shares AS m
JOIN shares AS n USING (workload, replication)
JOIN workloads AS w USING (workload)
WHERE m.policy = $policy AND n.policy = $versus AND workload IN (SELECT unnest($workloads))
ORDER BY list_position($workloads, workload), unit
