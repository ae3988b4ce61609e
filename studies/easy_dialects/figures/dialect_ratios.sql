SELECT workload_label, policy, policy_label, metric, ratio, ratio_low, ratio_high,
    difference, difference_low, difference_high, units
FROM base JOIN comparisons AS c USING (workload, policy)
WHERE metric IN ('mean_wait', 'mean_bounded_slowdown_10') AND versus_policy = 'easy' AND versus_workload = workload
    AND scope = 'all' AND policy <> 'easy' AND ratio > 0 AND ratio_low IS NOT NULL
ORDER BY metric DESC, position
