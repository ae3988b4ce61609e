-- How much less the bounded slowdown of each kind of job is by group optimisation, on the same jobs: a row per draw.
SELECT
    CASE WHEN kind = 'log' THEN workload_label ELSE 'Synthetic workloads' END AS of,
    if(policy = 'pect_o', 'with smart backfilling', 'without smart backfilling') AS smart,
    scope AS job_class, workload || '/' || replication AS unit, 100 * (1 - ratio) AS value
FROM run_ratios
WHERE metric = 'mean_bounded_slowdown_600'
    AND (policy, versus_policy) IN (('pect_o', 'pect'), ('pect_o_ns', 'pect_ns'))
    AND (workload LIKE 'seed-%' OR workload LIKE '%-first')
    AND scope IN ('all', 'short', 'medium', 'medium narrow', 'medium medium', 'medium wide', 'long', 'long narrow',
        'long medium', 'long wide')
ORDER BY kind DESC, of, list_position(['pect_o_ns', 'pect_o'], policy),
    list_position(['all', 'short', 'medium', 'medium narrow', 'medium medium', 'medium wide', 'long', 'long narrow', 'long medium',
        'long wide'], scope), unit
