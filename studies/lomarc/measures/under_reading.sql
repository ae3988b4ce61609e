-- How much shorter a strategy's mean response time is than another's under a reading of the study, asked of the headline.
-- Parameters: $reading; $workload; $policy; $versus. Unit: per cent; a replication each.
SELECT
    a.reading_label || ', ' || w.label || ': ' || over(p.label, v.label) AS label, unit, 100 * (1 - a.value / b.value) AS value
FROM under_readings('lomarc') AS a
JOIN under_readings('lomarc') AS b USING (reading, workload, metric, scope, unit)
JOIN workloads AS w USING (workload)
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = b.policy
WHERE reading = $reading AND workload = $workload AND a.policy = $policy AND b.policy = $versus
    AND metric = 'mean_response' AND scope = 'all'
