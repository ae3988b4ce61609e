-- The ten strategies on real logs, beside one another by response time and by bounded slowdown.
SELECT workload_label, policy, policy_label, metric, value / if(metric = 'mean_response', 3600, 1) AS value,
    low / if(metric = 'mean_response', 3600, 1) AS low, high / if(metric = 'mean_response', 3600, 1) AS high, units,
    CASE (parameters ->> 'level')::INTEGER WHEN 5 THEN 'gang scheduling, MPL 5' ELSE 'adaptive, MPL 2' END AS kind
FROM shown JOIN intervals USING (workload, policy) JOIN policies USING (policy)
WHERE shown.kind = 'log' AND metric IN ('mean_response', 'mean_relative_response') AND scope = 'all'
ORDER BY metric DESC, shown.position
