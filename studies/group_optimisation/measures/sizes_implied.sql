-- Tree nodes of the second level, or jobs, over groups, beside what Tables 7 and 8 imply: a value per draw.
-- Parameters: $metric: tree_nodes_per_group or mean_group_size (share of medium and long jobs in groups, over the groups).
WITH quoted AS (
    SELECT
        workload, any_value(value) FILTER (metric = 'tree_nodes') AS nodes,
        any_value(value) FILTER (metric = 'grouped_share') AS share, any_value(value) FILTER (metric = 'groups') AS groups
    FROM printed_values WHERE source = 'Kanavallil 2007' AND policy = 'pect_o' AND starts_with(workload, 'seed-')
    GROUP BY workload
),
candidates AS (
    SELECT workload, sum(jobs) / count(DISTINCT replication) AS jobs
    FROM characteristics WHERE class IN ('medium', 'long') GROUP BY workload
)
SELECT
    w.label AS label, replication AS unit, m.value,
    if(metric = 'mean_group_size', round(share * candidates.jobs / groups, 1), round(nodes / groups)) AS printed
FROM quoted
JOIN run_values AS m USING (workload)
JOIN workloads AS w USING (workload)
LEFT JOIN candidates USING (workload)
WHERE policy = 'pect_o' AND metric = $metric AND scope = 'all' AND if(metric = 'mean_group_size', share, nodes) IS NOT NULL
ORDER BY label, unit
