-- How much longer a strategy's times are than another's on the same jobs, beside what the paper prints of one sample.
-- Parameters: $workload; $metrics; $policy; $versus. Unit: per cent; a replication each.
WITH words (metric, word) AS (VALUES ('mean_response', 'response time'), ('mean_relative_response', 'relative response time'))
SELECT
    w.label || ', ' || word || ': ' || p.label || ' beyond ' || v.label AS label,
    replication AS unit, 100 * (a.value / b.value - 1) AS value, printed, printed_digits AS digits
FROM metrics AS a
JOIN metrics AS b USING (workload, replication, metric, scope)
JOIN words USING (metric)
JOIN printed_values AS q ON
    q.workload = a.workload AND q.policy = a.policy AND q.metric = 'excess_' || a.metric AND q.scope = 'over ' || b.policy
JOIN workloads AS w ON a.workload = w.workload
JOIN policies AS p ON a.policy = p.policy
JOIN policies AS v ON b.policy = v.policy
WHERE a.policy = $policy AND b.policy = $versus AND a.scope = 'all' AND a.workload = $workload
    AND a.metric IN (SELECT unnest($metrics))
ORDER BY list_position($metrics, a.metric), unit
