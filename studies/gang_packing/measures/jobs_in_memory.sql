-- Jobs that hold a place in the matrix, mean over the arrivals of a working day (50,000 s): memory fit against best fit.
-- Parameters: $workloads: pattern (regular expression) that the whole id of a workload matches. Unit of analysis: a sequence of
-- jobs.
SELECT
    CASE WHEN $workloads = 'memory' THEN '' ELSE workloads.label || ', ' END || 'jobs with a place' AS label,
    replication AS unit, avg(m.present) AS value, avg(b.present) AS versus
FROM packing AS m
JOIN packing AS b USING (workload, replication, arrival)
JOIN workloads USING (workload)
WHERE m.policy = 'gang-memory-fit' AND b.policy = 'gang-memory-best-fit' AND m.submit_s <= 50000
    AND regexp_full_match(workload, $workloads)
GROUP BY workload, workloads.label, replication
ORDER BY workload, unit
