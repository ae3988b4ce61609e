-- Utilisation of each cluster in percent, with intervals over replications; a log run once has none.
WITH once AS (
    SELECT workload, policy, split_part(scope, ' ', 2)::SMALLINT AS cluster, avg(value) AS value
    FROM run_values WHERE metric = 'utilisation' AND starts_with(scope, 'cluster ')
    GROUP BY ALL
),
used AS (
    SELECT workload, policy, cluster, avg(tasks) AS tasks, avg(jobs) AS jobs FROM cluster_use GROUP BY ALL
),
spread AS (
    SELECT workload, policy, split_part(scope, ' ', 2)::SMALLINT AS cluster, low, high, units
    FROM intervals WHERE metric = 'utilisation' AND starts_with(scope, 'cluster ')
)
SELECT
    workload_label, policy, policy_label, name AS cluster, clusters.cluster AS number,
    100 * value AS value, 100 * low AS low, 100 * high AS high, units, used.jobs, used.tasks
FROM base
JOIN once USING (workload, policy)
JOIN clusters USING (workload, cluster)
JOIN used USING (workload, policy, cluster)
LEFT JOIN spread USING (workload, policy, cluster)
WHERE clusters.cluster < 12 -- more can be told apart neither by colour nor by name
ORDER BY min(position) OVER (PARTITION BY workload), position, clusters.cluster
