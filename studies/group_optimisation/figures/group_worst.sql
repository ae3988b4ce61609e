-- Largest bounded slowdown and its 99th percentile by class, without smart backfilling: a row per draw.
SELECT workload_label, policy, policy_label, metric, scope AS job_class, replication AS unit, value
FROM shown JOIN metrics USING (workload, policy)
WHERE policy IN ('pect_ns', 'pect_o_ns') AND metric IN ('max_bounded_slowdown_600', 'p99_bounded_slowdown_600')
    AND scope IN ('short', 'medium', 'long') AND workload LIKE 'seed-%'
ORDER BY metric, list_position(['short', 'medium', 'long'], scope), position, unit
