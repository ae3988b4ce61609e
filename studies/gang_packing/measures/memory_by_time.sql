-- Memory fit against best fit with memory by a time of the day: what each has done by then.
-- Parameters: $what: 'completed' (jobs completed) or 'ratio' (memory that could be in use over that in use); $workloads: pattern
-- (regular expression) that the whole id of a workload matches. Unit of analysis: a sequence of jobs.
SELECT
    CASE WHEN $workloads = 'memory' THEN '' ELSE workloads.label || ', ' END
    || 'after ' || format('{:,}', horizon_s::INTEGER) || ' s' AS label, replication AS unit,
    CASE $what WHEN 'completed' THEN m.completed ELSE m.ratio END AS value,
    CASE $what WHEN 'completed' THEN b.completed ELSE b.ratio END AS versus
FROM memory_packing AS m
JOIN memory_packing AS b USING (workload, replication, horizon_s)
JOIN workloads USING (workload)
WHERE m.policy = 'gang-memory-fit' AND b.policy = 'gang-memory-best-fit'
    AND regexp_full_match(workload, $workloads)
ORDER BY workload, horizon_s, unit
