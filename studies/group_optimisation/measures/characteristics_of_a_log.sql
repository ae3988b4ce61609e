-- By how much the first 10,000 jobs of a log differ from Table 6, by class of run time, in units of the last digit that it
-- prints: a tenth of a per cent of the jobs, a per cent of the work, a processor. Exact.
-- Parameters: $workload: the log.
SELECT
    upper(class[1]) || class[2:] || ' jobs, '
    || CASE p.metric WHEN 'job_share' THEN 'share of the jobs' WHEN 'work_share' THEN 'share of the work' ELSE 'mean size' END AS label,
    CASE p.metric
        WHEN 'job_share' THEN 1000 * (job_share - p.value)
        WHEN 'work_share' THEN 100 * (work_share - p.value)
        ELSE mean_size - p.value
    END AS value
FROM printed_values AS p JOIN characteristics AS c ON c.workload = p.workload AND c.class = p.scope
WHERE p.source = 'Kanavallil 2007' AND p.workload = $workload
    AND p.metric IN ('job_share', 'work_share', 'mean_size')
ORDER BY list_position(['job_share', 'work_share', 'mean_size'], p.metric), list_position(['short', 'medium', 'long'], class)
