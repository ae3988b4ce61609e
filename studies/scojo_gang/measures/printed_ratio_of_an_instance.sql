-- A over B beside the same ratio of two values that the thesis prints for one instance; Figures 7-1 and 7-2 to 7-7 show
-- different instances, so that no ratio is taken across them.
-- Parameters: $against, pairs of policies; $workloads, $metrics. Unit: none (ratio of means).
WITH quoted AS (
    SELECT *, place LIKE 'figure 7-1%' AS first_instance FROM printed_values WHERE source = 'Huang 2004' AND scope = 'all'
)
SELECT
    c.label || ', ' || split_part(mine.place, ',', 1) AS label, unit, c.value, c.versus, mine.value / theirs.value AS printed
FROM compared($against, $workloads, $metrics, [['all', 'all']], 'run', '') AS c
JOIN quoted AS mine USING (workload, policy, metric)
JOIN quoted AS theirs USING (workload, metric, first_instance)
WHERE theirs.policy = c.versus_policy
ORDER BY c.place, mine.place, unit
