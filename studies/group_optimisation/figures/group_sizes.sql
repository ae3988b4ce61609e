-- Mean bounded slowdown of medium and of long jobs by the largest sizes of groups, over that at M20 L30 on the same jobs.
SELECT
    coalesce(nullif(regexp_extract(a.policy, '_m([0-9]+)_l', 1), ''), '20')::INTEGER AS medium,
    coalesce(nullif(regexp_extract(a.policy, '_l([0-9]+)$', 1), ''), '30')::INTEGER AS long,
    a.scope AS job_class, workload || '/' || replication AS unit, a.value / b.value AS value
FROM run_values AS a JOIN metrics AS b USING (workload, replication, metric, scope)
WHERE workload LIKE 'one-%' AND metric = 'mean_bounded_slowdown_600' AND scope IN ('medium', 'long')
    AND b.policy = 'pect_o' AND (a.policy = 'pect_o' OR regexp_matches(a.policy, '^pect_o_m[0-9]+_l[0-9]+$'))
ORDER BY a.scope DESC, medium, long, unit
