-- Time slices beside space sharing: mean bounded slowdown by class, a row per draw.
SELECT policy, policy_label, scope AS job_class, workload || '/' || replication AS unit, value
FROM shown JOIN metrics USING (workload, policy)
WHERE policy IN ('easy', 'conservative', 'pect', 'pect_o') AND metric = 'mean_bounded_slowdown_600'
    AND scope IN ('short', 'medium', 'long') AND workload LIKE 'seed-%' AND workload <> 'seed-13'
ORDER BY list_position(['short', 'medium', 'long'], scope), policy, unit
