-- Mean gap between submissions over the one of section 6.8: half of 1 s and twice T, where T is the sum over the classes of
-- share x middle size times share x middle run time, over 64 processors, of the intervals of Table 7-2.
-- Parameters: $workloads. Unit: none.
WITH classes (workload, share, size, runtime_s) AS (
    VALUES
        ('huang-1', 0.4, 2.5, 30.5), ('huang-1', 0.4, 14, 930), ('huang-1', 0.2, 20, 2700),
        ('huang-2', 0.3, 2.5, 90.5), ('huang-2', 0.35, 14, 1890), ('huang-2', 0.35, 20, 55800)
),
formula AS (SELECT workload, sum(share * size * share * runtime_s) / 64 + 0.5 AS gap_s FROM classes GROUP BY workload)
SELECT
    label || ', mean gap over the one of the formula' AS label, replication AS unit,
    (max(submit_us) - min(submit_us)) / 1e6 / (count(*) - 1) / gap_s AS value
FROM jobs
JOIN formula USING (workload)
JOIN workloads USING (workload)
WHERE policy = 'scojo_fcfs' AND workload IN (SELECT unnest($workloads))
GROUP BY label, gap_s, replication
ORDER BY label, unit
