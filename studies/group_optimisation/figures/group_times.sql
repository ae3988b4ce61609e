-- Mean response time and mean wait (suspensions included), in hours: a row per draw.
SELECT workload_label, policy, policy_label, metric, replication AS unit, value / 3600 AS value
FROM shown JOIN metrics USING (workload, policy)
WHERE policy IN ($base, $optimised) AND metric IN ('mean_response', 'mean_wait') AND scope = 'all'
    AND (workload LIKE 'seed-%' OR workload LIKE '%-first') AND workload <> 'seed-13'
ORDER BY metric, position, unit
