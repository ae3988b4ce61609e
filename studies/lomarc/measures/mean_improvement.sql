-- How much better a strategy is than another, in the mean of some workloads.
-- Parameters: $workloads; $metrics; $policy; $versus. Unit: per cent; a replication of all workloads each.
WITH words (metric, word) AS (VALUES ('mean_response', 'response time'), ('mean_relative_response', 'relative response time'))
SELECT
    upper(word[1]) || word[2:] || ': ' || p.label || ' over ' || v.label AS label,
    replication AS unit, avg(100 * (1 - a.value / b.value)) AS value
FROM metrics AS a
JOIN metrics AS b USING (workload, replication, metric, scope)
JOIN words USING (metric)
JOIN policies AS p ON a.policy = p.policy
JOIN policies AS v ON b.policy = v.policy
WHERE a.policy = $policy AND b.policy = $versus AND scope = 'all'
    AND workload IN (SELECT unnest($workloads)) AND metric IN (SELECT unnest($metrics))
GROUP BY word, metric, p.label, v.label, replication
HAVING count(*) = len($workloads)
ORDER BY list_position($metrics, metric), unit
