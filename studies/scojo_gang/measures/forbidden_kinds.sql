-- Jobs of a class that section 6.7 does not let be so flexible: long moldable and short malleable ones, over all instances.
-- Parameters: $workloads. Unit: jobs.
SELECT
    label || ', long moldable and short malleable jobs' AS label,
    count(*) FILTER ((class, flexibility) IN (('long', 'moldable'), ('short', 'malleable'))) AS value
FROM jobs
JOIN workloads USING (workload)
WHERE policy = 'scojo_fcfs' AND workload IN (SELECT unnest($workloads))
GROUP BY label
