SELECT workload_label, source, policy, policy_label, i.value, i.low, i.high, i.units,
    ratio, ratio_low, ratio_high
FROM base JOIN intervals AS i USING (workload, policy)
    LEFT JOIN comparisons AS c ON c.workload = base.workload AND c.policy = base.policy AND c.metric = i.metric AND c.scope = i.scope
        AND c.versus_policy = $reference AND c.versus_workload = base.workload
WHERE i.metric = $metric AND i.scope = 'all' AND i.value > 0 ORDER BY position
