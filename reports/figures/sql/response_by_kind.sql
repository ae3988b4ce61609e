-- Mean slowdown of local jobs and of tasks by run-time class, with intervals over replications; a log run once has none.
SELECT
    workload_label, policy, policy_label,
    split_part(scope, ' ', 2) || if(starts_with(scope, 'local'), ' local jobs', ' tasks') AS kind,
    m.value, m.low, m.high, m.units, sum(counted.value) AS jobs
FROM base
JOIN run_means AS m USING (workload, policy)
JOIN run_values AS counted USING (workload, policy, scope)
WHERE m.metric = 'mean_slowdown' AND regexp_matches(scope, '^(local|tasks) ') AND counted.metric = 'jobs'
GROUP BY workload, workload_label, policy, policy_label, position, scope, m.value, m.low, m.high, m.units
ORDER BY
    min(position) OVER (PARTITION BY workload), split_part(scope, ' ', 1),
    list_position(['short', 'medium', 'long'], split_part(scope, ' ', 2)), position
