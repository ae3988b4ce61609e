-- What the second level of the search gains over the first alone: a row per draw.
SELECT CASE WHEN kind = 'log' THEN workload_label ELSE 'Synthetic workloads' END AS of, metric, scope AS job_class,
    workload || '/' || replication AS unit, 100 * (1 - ratio) AS value
FROM run_ratios
WHERE policy = 'pect_o' AND versus_policy = 'pect_o_first_level' AND (
    metric = 'mean_bounded_slowdown_600' AND NOT starts_with(scope, 'any')
    AND (scope = 'short' OR scope LIKE 'medium %' OR scope LIKE 'long %')
    OR metric IN ('mean_response', 'mean_wait') AND scope = 'all'
)
ORDER BY kind DESC, of, metric,
    list_position(['short', 'medium narrow', 'medium medium', 'medium wide', 'long narrow', 'long medium', 'long wide',
        'all'], scope), unit
