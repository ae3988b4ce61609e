-- What the workloads are made of by run-time class, beside Tables 5 and 6: the range over draws. What is printed is of 10,000
-- jobs, and stands only beside as many.
WITH measured AS (
    SELECT workload, replication, class, unnest(['job_share', 'work_share', 'mean_size']) AS metric,
        unnest([job_share, work_share, mean_size]) AS value
    FROM characteristics WHERE workload LIKE 'seed-%' OR workload LIKE '%-first'
), ranged AS (
    SELECT workload, class, metric, avg(value) AS value, min(value) AS low, max(value) AS high, count(*) AS draws
    FROM measured GROUP BY ALL
)
SELECT w.label AS workload_label, r.class AS job_class, r.metric, draws,
    r.value * if(r.metric = 'mean_size', 1, 100) AS value, r.low * if(r.metric = 'mean_size', 1, 100) AS low,
    r.high * if(r.metric = 'mean_size', 1, 100) AS high,
    CASE WHEN w.jobs // w.replications = 10000 THEN p.value * if(r.metric = 'mean_size', 1, 100) END AS printed,
    p.place
FROM ranged AS r JOIN workloads AS w USING (workload)
    LEFT JOIN printed_values AS p
        ON p.source = 'Kanavallil 2007' AND p.workload = r.workload AND p.metric = r.metric AND p.scope = r.class
WHERE workload <> 'seed-13'
ORDER BY (SELECT min(position) FROM cells WHERE cells.workload = r.workload), r.class, r.metric
