-- Groups on a log over the mean of the synthetic workloads: two values per batch of the log's jobs (a group belongs to the batch
-- of its first member; both are counted as if all batches were alike), whose means have the ratio.
-- Parameters: $workload, a log; $policy; $class: class of the groups, or 'any'.
WITH batches AS (
    SELECT DISTINCT batch FROM jobs WHERE workload = $workload AND policy = $policy
),
formed AS (
    SELECT batch, count(*) AS groups
    FROM groups
    JOIN members USING (workload, policy, replication, cluster, group_number)
    JOIN jobs USING (workload, policy, replication, job)
    WHERE workload = $workload AND policy = $policy AND place = 1 AND $class IN ('any', groups.class)
    GROUP BY batch
)
SELECT
    w.label || ' over the synthetic workloads' AS label,
    batch AS unit,
    coalesce(groups, 0) * (SELECT count(*) FROM batches) AS value,
    (
        SELECT avg(value) FROM run_values
        WHERE workload LIKE 'seed-%' AND policy = $policy AND scope = 'all'
            AND metric = if($class = 'any', 'groups', 'groups_' || $class)
    ) AS versus
FROM batches LEFT JOIN formed USING (batch), workloads AS w
WHERE w.workload = $workload
ORDER BY unit
