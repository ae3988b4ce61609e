-- How much less the mean wait of each class is by dynamic backfilling: a row per draw.
SELECT CASE WHEN kind = 'log' THEN workload_label ELSE 'Synthetic workloads' END AS of, scope AS job_class,
    workload || '/' || replication AS unit, 100 * (1 - ratio) AS value
FROM run_ratios
WHERE metric = 'mean_wait' AND policy = 'pect_o' AND versus_policy = 'pect_o_no_dynamic'
    AND scope IN ('all', 'short', 'medium', 'long')
ORDER BY kind DESC, of, list_position(['all', 'short', 'medium', 'long'], scope), unit
