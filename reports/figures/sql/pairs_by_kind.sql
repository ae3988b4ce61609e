-- Pairs by the kinds of their two jobs: their part of all pairs of a policy on a workload, all draws together, in percent.
SELECT workload_label, policy, policy_label, kinds, sum(pairs) AS pairs,
    100 * sum(pairs) / sum(sum(pairs)) OVER (PARTITION BY workload, policy) AS share,
    sum(pairs * slowdown) / sum(pairs) AS slowdown
FROM base JOIN pair_kinds USING (workload, policy)
GROUP BY workload, workload_label, policy, policy_label, kinds
ORDER BY (SELECT min(position) FROM base AS own WHERE own.workload = base.workload),
    (SELECT min(position) FROM base AS own WHERE own.policy = base.policy), kinds
