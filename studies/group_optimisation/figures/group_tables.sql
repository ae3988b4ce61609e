-- Groups, and the search in them, beside what the source's tables print: means and range over draws; shares in %. What is
-- printed is of 10,000 jobs, and stands only beside as many.
-- Parameters: $metrics; $policies; $workloads.
WITH ranged AS (
    SELECT workload, policy, metric, avg(value) AS value, min(value) AS low, max(value) AS high, count(*) AS draws
    FROM run_values
    WHERE scope = 'all' AND metric IN (SELECT unnest($metrics)) AND policy IN (SELECT unnest($policies)) AND workload IN (SELECT unnest($workloads))
    GROUP BY ALL
), quoted AS (
    SELECT workload, policy, metric, value, place FROM printed_values WHERE source = 'Kanavallil 2007'
    UNION ALL
    SELECT workload, policy, 'tree_nodes_per_group', sum(value) FILTER (metric = 'tree_nodes') / sum(value) FILTER (metric = 'groups'),
        'Tables 7 and 8' FROM printed_values WHERE source = 'Kanavallil 2007' GROUP BY workload, policy
)
SELECT w.label AS workload_label, r.policy, w.jobs // w.replications AS jobs, r.metric, draws,
    if(r.metric LIKE '%share', 100, 1) * r.value AS value, if(r.metric LIKE '%share', 100, 1) * r.low AS low,
    if(r.metric LIKE '%share', 100, 1) * r.high AS high, if(r.metric LIKE '%share', 100, 1) * q.value AS printed, q.place
FROM ranged AS r
JOIN workloads AS w USING (workload)
LEFT JOIN quoted AS q ON (q.workload, q.policy, q.metric) = (r.workload, r.policy, r.metric) AND w.jobs // w.replications = 10000
ORDER BY (SELECT min(position) FROM cells WHERE cells.workload = r.workload), list_position($policies, r.policy), r.metric
