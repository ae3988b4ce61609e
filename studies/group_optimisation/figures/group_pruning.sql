-- Nodes of the searches and the part of them that was pruned, beside Table 8: means and range over draws. What is printed is of
-- 10,000 jobs, and stands only beside as many.
WITH ranged AS (
    SELECT workload, metric, avg(value) AS value, min(value) AS low, max(value) AS high, count(*) AS draws
    FROM run_values
    WHERE scope = 'all' AND metric IN ('tree_nodes', 'pruned_share', 'tree_nodes_per_group') AND policy = 'pect_o'
        AND (workload LIKE 'seed-%' OR workload LIKE '%-first')
    GROUP BY ALL
), printed AS (
    SELECT workload, metric, value, place FROM printed_values WHERE source = 'Kanavallil 2007' AND policy = 'pect_o'
    UNION ALL
    SELECT workload, 'tree_nodes_per_group', sum(value) FILTER (metric = 'tree_nodes') / sum(value) FILTER (metric = 'groups'),
        'Tables 7 and 8' FROM printed_values WHERE source = 'Kanavallil 2007' AND policy = 'pect_o' GROUP BY workload
)
SELECT w.label AS workload_label, r.metric, draws, r.value * if(r.metric = 'pruned_share', 100, 1) AS value,
    r.low * if(r.metric = 'pruned_share', 100, 1) AS low, r.high * if(r.metric = 'pruned_share', 100, 1) AS high,
    CASE WHEN w.jobs // w.replications = 10000 THEN p.value * if(r.metric = 'pruned_share', 100, 1) END AS printed,
    p.place
FROM ranged AS r JOIN workloads AS w USING (workload) LEFT JOIN printed AS p USING (workload, metric)
WHERE workload <> 'seed-13'
ORDER BY (SELECT min(position) FROM cells WHERE cells.workload = r.workload), r.metric
