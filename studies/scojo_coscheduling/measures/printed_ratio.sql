-- A strategy over another beside the ratio of the two values that the thesis prints.
-- Parameters: $workloads; $metrics; $policies and $versus, taken in pairs.
-- Unit: none (ratio of means).
WITH words (metric, word) AS (
    VALUES
        ('mean_response', 'response time'), ('mean_response_over_elapsed', 'relative response time'),
        ('mean_slowdown', 'response over dedicated run time'), ('busy_time', 'total execution time')
),
pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy),
quoted AS (FROM printed_values WHERE source = 'Huang 2004' AND scope = 'all')
SELECT
    w.label || ', ' || word || ': ' || p.label || ' over ' || v.label AS label,
    replication AS unit, a.value AS value, b.value AS versus, mine.value / theirs.value AS printed, 3 AS digits
FROM pairs
JOIN quoted AS mine USING (policy)
JOIN quoted AS theirs USING (workload, metric, scope)
JOIN metrics AS a ON
    a.workload = mine.workload AND a.policy = mine.policy AND a.metric = mine.metric AND a.scope = mine.scope
JOIN metrics AS b USING (workload, replication, metric, scope)
JOIN workloads AS w USING (workload)
JOIN policies AS p USING (policy)
JOIN policies AS v ON b.policy = v.policy
JOIN words USING (metric)
WHERE theirs.policy = pairs.versus_policy AND b.policy = pairs.versus_policy
    AND workload IN (SELECT unnest($workloads)) AND metric IN (SELECT unnest($metrics))
ORDER BY w.label, p.position, word DESC, unit
