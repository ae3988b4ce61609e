WITH class AS (
    SELECT workload, policy, scope AS class,
        avg(value) FILTER (metric = 'mean_bounded_slowdown_10') AS slowdown, sum(value) FILTER (metric = 'jobs') AS jobs
    FROM run_values WHERE contains(scope, ' ') AND NOT starts_with(scope, 'any')
    GROUP BY ALL
)
SELECT workload_label, policy, policy_label, class, slowdown, jobs
FROM base JOIN class USING (workload, policy)
WHERE slowdown IS NOT NULL
ORDER BY position, class
