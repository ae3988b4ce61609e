-- Tree nodes of the second level over groups, beside those of Tables 7 and 8: a value per draw.
WITH quoted AS (
    SELECT workload, sum(value) FILTER (metric = 'tree_nodes') / sum(value) FILTER (metric = 'groups') AS printed
    FROM printed_values
    WHERE source = 'Kanavallil 2007' AND policy = 'pect_o'
    GROUP BY workload
    HAVING printed IS NOT NULL
)
SELECT w.label AS label, replication AS unit, m.value, round(printed) AS printed
FROM quoted JOIN run_values AS m USING (workload) JOIN workloads AS w USING (workload)
WHERE m.policy = 'pect_o' AND m.metric = 'tree_nodes_per_group'
ORDER BY label, unit
