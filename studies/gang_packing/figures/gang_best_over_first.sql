-- The dynamic competitive ratio of best fit less that of first fit, in per cent of it: a row per workload, with and without
-- migration. Ratios of sequences or batches are compared in pairs.
WITH units AS (
    SELECT workload, policy, unit, value FROM independent_measurements SEMI JOIN shown USING (workload, policy)
    WHERE metric = 'dynamic_competitive_ratio'
),
pairs AS (
    SELECT b.workload, ends_with(b.policy, '-moved') AS moved, 100 * (b.value / f.value - 1) AS gap
    FROM units AS b JOIN units AS f USING (workload, unit)
    WHERE (b.policy, f.policy) IN (
        ('gang-best-fit', 'gang-first-fit'), ('gang-best-fit-moved', 'gang-first-fit-moved')
    )
),
places AS (
    SELECT workload, workload_label, kind, any_value(target_load) AS target_load,
        100 * any_value(offered_load) AS load, min(position) AS position
    FROM shown JOIN (SELECT workload, offered_load FROM workloads) USING (workload)
    GROUP BY workload, workload_label, kind
)
SELECT
    workload, workload_label, CASE WHEN moved THEN 'with migration' ELSE 'without migration' END AS migration,
    load, avg(gap) AS gap, stddev_samp(gap) AS spread, count(*) AS units
FROM pairs JOIN places USING (workload)
GROUP BY workload, workload_label, moved, kind, target_load, load, position
ORDER BY kind = 'log', target_load NULLS FIRST, position, moved
