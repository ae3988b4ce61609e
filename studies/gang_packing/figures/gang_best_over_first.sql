-- The dynamic competitive ratio of best fit less that of first fit, in per cent of it: a row per workload, with and without
-- migration. Ratios of sequences or batches are compared in pairs.
SELECT
    c.workload, label AS workload_label, if(policy LIKE '%-moved', 'with migration', 'without migration') AS migration,
    100 * offered_load AS load, avg(100 * (value / versus - 1)) AS gap, stddev_samp(100 * (value / versus - 1)) AS spread,
    count(*) AS units
FROM against(
    [['gang-best-fit', 'gang-first-fit'], ['gang-best-fit-moved', 'gang-first-fit-moved']],
    (SELECT list(DISTINCT [workload, workload]) FROM shown),
    [['dynamic_competitive_ratio', 'dynamic_competitive_ratio']], [['all', 'all']], 'unit'
) AS c
JOIN workloads USING (workload)
GROUP BY c.workload, label, policy, offered_load, kind, target_load
ORDER BY
    kind = 'log', target_load NULLS FIRST,
    (SELECT min(position) FROM shown WHERE shown.workload = c.workload), policy LIKE '%-moved'
