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
SELECT w.label || ', ' || k.kind || ' jobs' AS label, 100 * k.jobs / every AS value, printed
FROM kinds AS k
JOIN workloads AS w USING (workload)
JOIN printed_values AS q ON q.workload = k.workload AND q.metric = 'job_share' AND split_part(q.scope, '=', 2) = k.kind
