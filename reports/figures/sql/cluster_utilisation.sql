-- Utilisation of each cluster in percent, with intervals over replications; a log run once has none.
WITH used AS (SELECT workload, policy, cluster, avg(tasks) AS tasks, avg(jobs) AS jobs FROM cluster_use GROUP BY ALL)
SELECT
    workload_label, policy, policy_label, name AS cluster, cluster AS number,
    100 * value AS value, 100 * low AS low, 100 * high AS high, units, used.jobs, used.tasks
FROM base
JOIN clusters USING (workload)
JOIN used USING (workload, policy, cluster)
JOIN run_means AS m ON (m.workload, m.policy, m.scope) = (base.workload, base.policy, 'cluster ' || cluster)
WHERE metric = 'utilisation' AND cluster < 12 -- more can be told apart neither by colour nor by name
ORDER BY min(position) OVER (PARTITION BY base.workload), position, number
