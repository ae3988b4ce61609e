-- Mean work of a job (run time x size), or mean gap between submissions, over what the middles of Table 7-2's intervals give.
-- Work: 557 and 5,207 h on 64 processors for 8,000 and 3,000 jobs. Gap (section 6.8): half of 1 s and twice T, the sum over the
-- classes of share x size times share x run time, over 64 processors. Parameters: $what: work or gap; $workloads. Unit: none.
WITH classes (workload, share, size, runtime_s) AS (
    VALUES
        ('huang-1', 0.4, 2.5, 30.5), ('huang-1', 0.4, 14, 930), ('huang-1', 0.2, 20, 2700),
        ('huang-2', 0.3, 2.5, 90.5), ('huang-2', 0.35, 14, 1890), ('huang-2', 0.35, 20, 55800)
),
expected AS (
    SELECT workload, if($what = 'work', sum(share * size * runtime_s), sum(share * size * share * runtime_s) / 64 + 0.5) AS value
    FROM classes GROUP BY workload
)
SELECT
    label || if($what = 'work', ', work over the expected', ', mean gap over the one of the formula') AS label, replication AS unit,
    if($what = 'work', sum(runtime_us / 1e6 * size) / count(*), (max(submit_us) - min(submit_us)) / 1e6 / (count(*) - 1))
    / any_value(expected.value) AS value
FROM jobs
JOIN expected USING (workload)
JOIN workloads USING (workload)
WHERE policy = 'scojo_fcfs' AND workload IN (SELECT unnest($workloads))
GROUP BY label, replication
ORDER BY label, unit
