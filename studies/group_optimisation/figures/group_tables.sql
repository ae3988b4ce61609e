-- Groups, and the search in them, beside what the source's tables print: means and range over draws; shares in %. What is
-- printed is of 10,000 jobs, and stands only beside as many.
-- Parameters: $metrics; $policies; $workloads.
WITH ranged AS (
    SELECT
        workload, policy, metric, if(metric LIKE '%share', 100, 1) AS scale, avg(value) AS value, min(value) AS low,
        max(value) AS high, count(*) AS draws
    FROM run_values
    WHERE scope = 'all' AND list_contains($metrics, metric) AND list_contains($policies, policy)
        AND list_contains($workloads, workload)
    GROUP BY ALL
), quoted AS (
    SELECT workload, policy, metric, value, place FROM printed_values WHERE source = 'Kanavallil 2007'
    UNION ALL
    SELECT workload, policy, 'tree_nodes_per_group', sum(value) FILTER (metric = 'tree_nodes') / sum(value) FILTER (metric = 'groups'),
        'Tables 7 and 8' FROM printed_values WHERE source = 'Kanavallil 2007' GROUP BY workload, policy
)
SELECT w.label AS workload_label, r.policy, w.jobs // w.replications AS jobs, r.metric, draws,
    scale * r.value AS value, scale * r.low AS low, scale * r.high AS high,
    CASE WHEN w.jobs // w.replications = 10000 THEN scale * q.value END AS printed, q.place
FROM ranged AS r
JOIN workloads AS w USING (workload)
LEFT JOIN quoted AS q ON (q.workload, q.policy, q.metric) = (r.workload, r.policy, r.metric)
ORDER BY (SELECT min(position) FROM cells WHERE cells.workload = r.workload), list_position($policies, r.policy), r.metric
