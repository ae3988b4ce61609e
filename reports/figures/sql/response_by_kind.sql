-- Mean slowdown of local jobs and of tasks by run-time class, with intervals over replications; a log run once has none.
WITH once AS (
    SELECT workload, policy, scope, avg(value) AS value
    FROM run_values
    WHERE metric = 'mean_slowdown' AND (starts_with(scope, 'local ') OR starts_with(scope, 'tasks '))
    GROUP BY ALL
),
counted AS (SELECT workload, policy, scope, sum(value) AS jobs FROM run_values WHERE metric = 'jobs' GROUP BY ALL)
SELECT
    workload_label, policy, policy_label,
    split_part(scope, ' ', 2) || if(starts_with(scope, 'local'), ' local jobs', ' tasks') AS kind,
    once.value AS value, low, high, units, counted.jobs AS jobs
FROM base
JOIN once USING (workload, policy)
JOIN counted USING (workload, policy, scope)
LEFT JOIN (FROM intervals WHERE metric = 'mean_slowdown') USING (workload, policy, scope)
ORDER BY
    min(position) OVER (PARTITION BY workload), split_part(scope, ' ', 1),
    list_position(['short', 'medium', 'long'], split_part(scope, ' ', 2)), position
