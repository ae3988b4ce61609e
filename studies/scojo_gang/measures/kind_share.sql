-- Share of the jobs of each class and flexibility, beside the printed one (Table 7-2), over all instances.
-- Parameters: $workloads. Unit: per cent.
WITH asked AS (
    SELECT workload, class, flexibility FROM jobs
    WHERE policy = 'scojo_fcfs' AND workload IN (SELECT unnest($workloads))
),
kinds AS (
    SELECT
        workload, coalesce(class, flexibility) AS kind, count(*) AS jobs,
        sum(count(*)) FILTER (class IS NOT NULL) OVER (PARTITION BY workload) AS every
    FROM asked GROUP BY workload, GROUPING SETS ((class), (flexibility))
)
SELECT label || ', ' || kind || ' jobs' AS label, 100 * k.jobs / every AS value, percent AS printed
FROM kinds AS k
JOIN (
    VALUES
        ('huang-1', 'short', 40), ('huang-1', 'medium', 40), ('huang-1', 'long', 20),
        ('huang-2', 'short', 30), ('huang-2', 'medium', 35), ('huang-2', 'long', 35),
        ('huang-1', 'moldable', 60), ('huang-1', 'malleable', 30), ('huang-1', 'rigid', 10),
        ('huang-2', 'moldable', 60), ('huang-2', 'malleable', 30), ('huang-2', 'rigid', 10)
) AS table_7_2 (workload, kind, percent) USING (workload, kind)
JOIN workloads USING (workload)
