SELECT workload_label, policy, policy_label, metric, 100 * value AS value, 100 * low AS low, 100 * high AS high
FROM base JOIN intervals USING (workload, policy)
WHERE metric IN ('utilisation', 'loss_of_capacity') ORDER BY metric DESC, position
