-- Jobs of one flexibility by class, over all instances: part of all jobs ($of: all), or of the jobs of this flexibility, beside the
-- part that the source prints.
-- Parameters: $workloads; $flexibility; $of (all or flexibility); $classes. Unit: per cent.
WITH asked AS (
    SELECT workload, class, flexibility FROM jobs
    WHERE policy = 'scojo_fcfs' AND workload IN (SELECT unnest($workloads))
),
counted AS (
    SELECT
        workload, kind AS class,
        count(*) FILTER (class = kind AND flexibility = $flexibility) AS jobs,
        count(*) FILTER ($of = 'all' OR flexibility = $flexibility) AS every
    FROM asked CROSS JOIN (SELECT unnest($classes) AS kind)
    GROUP BY workload, kind
)
SELECT
    w.label || ', ' || if($of = 'all', c.class || ' and ' || $flexibility, c.class || ' among ' || $flexibility) || ' jobs' AS label,
    100 * c.jobs / c.every AS value, q.printed
FROM counted AS c
JOIN workloads AS w USING (workload)
LEFT JOIN printed_values AS q ON q.workload = c.workload AND q.metric = 'job_share' AND q.scope = $flexibility || ' ' || c.class
ORDER BY w.label, list_position($classes, c.class)
