-- Improvement by group optimisation on the logs: shares of the thesis or of the log's own work, exact or users' estimates.
SELECT if(starts_with(workload, 'sdsc'), 'SDSC-BLUE', 'LANL-CM5') AS log,
    CASE
        WHEN workload LIKE '%-users' THEN 'users'' estimates'
        WHEN policy LIKE '%shares' THEN 'shares by the log''s work'
        ELSE 'as in the thesis'
    END AS setting,
    scope AS job_class, 100 * (1 - ratio) AS value
FROM run_ratios
WHERE kind = 'log' AND metric = 'mean_bounded_slowdown_600' AND scope IN ('short', 'medium', 'long')
    AND (policy, versus_policy) IN (('pect_o', 'pect'), ('pect_o_sdsc_shares', 'pect_sdsc_shares'),
        ('pect_o_lanl_shares', 'pect_lanl_shares'))
ORDER BY log DESC, list_position(['short', 'medium', 'long'], scope), setting
