-- A strategy over another beside the same ratio of two values that the thesis prints for one instance; Figures 7-1 and 7-2 to 7-7
-- show different instances, so that no ratio is taken across them.
-- Parameters: $workloads; $metrics; $policies and $versus, taken in pairs. Unit: none (ratio of means).
WITH words (metric, word) AS (
    VALUES
        ('mean_response', 'response time'), ('mean_relative_response', 'bounded slowdown'),
        ('makespan_from_first_start', 'makespan'), ('effective_utilisation', 'effective utilisation'),
        ('utilisation', 'utilisation'), ('job_efficiency', 'job efficiency'), ('fragmentation', 'fragmentation')
),
pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy),
quoted AS (
    SELECT *, place LIKE 'figure 7-1%' AS first_instance FROM printed_values
    WHERE source = 'Huang 2004' AND scope = 'all' AND metric IN (SELECT unnest($metrics))
)
SELECT
    w.label || ', ' || word || ': ' || p.label || ' over ' || v.label || ', ' || split_part(mine.place, ',', 1) AS label,
    replication AS unit, a.value AS value, b.value AS versus, mine.value / theirs.value AS printed
FROM pairs
JOIN quoted AS mine USING (policy)
JOIN quoted AS theirs USING (workload, metric, scope, first_instance)
JOIN metrics AS a ON
    a.workload = mine.workload AND a.policy = mine.policy AND a.metric = mine.metric AND a.scope = mine.scope
JOIN metrics AS b USING (workload, replication, metric, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
JOIN policies AS v ON b.policy = v.policy
JOIN words USING (metric)
WHERE theirs.policy = pairs.versus_policy AND b.policy = pairs.versus_policy AND workload IN (SELECT unnest($workloads))
ORDER BY w.label, p.position, v.position, word DESC, unit
