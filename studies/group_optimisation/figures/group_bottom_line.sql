-- How much less the bounded slowdown is by group optimisation than by search at every event: a row per draw.
SELECT CASE WHEN kind = 'log' THEN workload_label ELSE 'Synthetic workloads' END AS of,
    if(policy = 'pect_o', 'with smart backfilling', 'without smart backfilling') AS smart, scope AS job_class,
    workload || '/' || replication AS unit, 100 * (1 - ratio) AS value
FROM run_ratios
WHERE metric = 'mean_bounded_slowdown_600'
    AND (policy, versus_policy) IN (('pect_o', 'bottom_line'), ('pect_o_ns', 'bottom_line_ns'))
    AND (workload LIKE 'seed-%' OR workload LIKE '%-first')
    AND (scope = 'short' OR scope LIKE 'medium %' OR scope LIKE 'long %')
ORDER BY kind DESC, of, smart DESC,
    list_position(['short', 'medium narrow', 'medium medium', 'medium wide', 'long narrow', 'long medium', 'long wide'],
        scope), unit
