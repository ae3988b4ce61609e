-- Jobs over all instances that break a rule: run time and size lie in the interval of Table 7-2 for their class ($rule: intervals),
-- and by section 6.7 no long job is moldable and no short one malleable (kinds).
-- Parameters: $workloads; $rule. Unit: jobs.
SELECT
    label || if($rule = 'kinds', ', long moldable and short malleable jobs', ', jobs outside their intervals') AS label,
    count(*) FILTER (
        if($rule = 'kinds', (jobs.class, flexibility) IN (('long', 'moldable'), ('short', 'malleable')),
            runtime_us NOT BETWEEN least_s * 1e6 AND most_s * 1e6 OR size NOT BETWEEN size_low AND size_high)
    ) AS value
FROM jobs
JOIN (
    VALUES
        ('huang-1', 'short', 1, 60, 1, 4), ('huang-1', 'medium', 61, 1800, 4, 24), ('huang-1', 'long', 1801, 3600, 8, 32),
        ('huang-2', 'short', 1, 180, 1, 4), ('huang-2', 'medium', 181, 3600, 4, 24), ('huang-2', 'long', 3601, 108000, 8, 32)
) AS table_7_2 (workload, class, least_s, most_s, size_low, size_high) USING (workload, class)
JOIN workloads USING (workload)
WHERE policy = 'scojo_fcfs' AND workload IN (SELECT unnest($workloads))
GROUP BY label
