-- How much shorter a strategy's mean response time is than another's under a reading of the study, asked of the headline.
-- Parameters: $reading; $workload; $policy; $versus. Unit: per cent; a replication each.
SELECT
    r.label || ', ' || w.label || ': ' || p.label || ' over ' || v.label AS label,
    m.replication AS unit, 100 * (1 - m.value / n.value) AS value
FROM main.reading_cells AS a
JOIN main.reading_cells AS b USING (study, reading, workload)
JOIN main.readings AS r USING (study, reading)
JOIN main.run_values AS m ON m.workload = a.cell_workload AND m.policy = a.cell_policy
JOIN main.run_values AS n ON
    n.workload = b.cell_workload AND n.policy = b.cell_policy AND n.metric = m.metric AND n.scope = m.scope
    AND n.replication = m.replication
JOIN workloads AS w ON w.workload = a.workload
JOIN policies AS p ON p.policy = a.policy
JOIN policies AS v ON v.policy = b.policy
WHERE study = 'lomarc' AND reading = $reading AND a.workload = $workload AND a.policy = $policy AND b.policy = $versus
    AND m.metric = 'mean_response' AND m.scope = 'all'
