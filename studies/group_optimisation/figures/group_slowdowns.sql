-- Mean bounded slowdown of each kind of job under a scheduler with and without group optimisation: a row per draw.
SELECT workload_label, policy, policy_label, scope AS job_class, replication AS unit, value
FROM shown JOIN metrics USING (workload, policy)
WHERE policy IN ($base, $optimised) AND metric = 'mean_bounded_slowdown_600' AND NOT starts_with(scope, 'any')
    AND scope <> 'all' AND (workload LIKE 'seed-%' OR workload LIKE '%-first') AND workload <> 'seed-13'
ORDER BY position,
    list_position(['short', 'short narrow', 'short medium', 'short wide', 'medium', 'medium narrow', 'medium medium',
        'medium wide', 'long', 'long narrow', 'long medium', 'long wide'], scope), unit
