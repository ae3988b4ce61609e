-- FCFS and PRI-B-WA-FA by multiprogramming level, with what figure 7-1 prints.
WITH leveled AS (
    SELECT policy, regexp_replace(policy, '_mpl[0-9]$', '') AS strategy, (parameters ->> 'level')::INTEGER AS level FROM policies
    WHERE strategy IN ('scojo_fcfs', 'scojo_pri_b_wa_fa')
)
SELECT w.label || ', ' || p.label AS which, metric, level,
    value / if(metric = 'mean_response', 3600, 1) AS value, low / if(metric = 'mean_response', 3600, 1) AS low,
    high / if(metric = 'mean_response', 3600, 1) AS high, printed / if(metric = 'mean_response', 3600, 1) AS printed, units
FROM leveled JOIN intervals AS i USING (policy) JOIN workloads AS w USING (workload)
    JOIN policies AS p ON p.policy = strategy
    LEFT JOIN (
        SELECT workload, policy, metric, value AS printed FROM printed_values
        WHERE scope = 'all' AND starts_with(place, 'figure 7-1,')
    ) USING (workload, policy, metric)
WHERE metric IN ('mean_response', 'mean_relative_response') AND scope = 'all' AND workload LIKE 'huang-_'
ORDER BY workload, metric DESC, strategy, level
