-- What the synthetic workloads are made of, by class of run time, beside Table 5: a value per draw.
-- Parameters: $metric: job_share, work_share (in %) or mean_size (in processors).
SELECT
    w.label || ', ' || class || ' jobs' AS label, replication AS unit,
    CASE $metric WHEN 'job_share' THEN job_share WHEN 'work_share' THEN work_share ELSE mean_size END / p.printed_scale AS value,
    p.printed, p.printed_digits AS digits, p.printed_draws AS draws
FROM printed_values AS p
JOIN characteristics AS c ON c.workload = p.workload AND c.class = p.scope
JOIN workloads AS w ON w.workload = p.workload
WHERE p.source = 'Kanavallil 2007' AND p.metric = $metric AND p.workload LIKE 'seed-%'
ORDER BY w.label, list_position(['short', 'medium', 'long'], class), unit
