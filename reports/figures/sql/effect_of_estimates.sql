-- Each variant of a workload's estimates against the perfect ones, or against the workload itself where no variant has perfect
-- estimates: ratios on the same jobs under the same policy, in whichever direction the store compares them.
WITH origin AS (
    SELECT variant_of AS origin, coalesce(min(workload) FILTER (variant = 'exact'), variant_of) AS reference
    FROM shown WHERE variant_of IS NOT NULL GROUP BY variant_of
), pair AS (
    SELECT workload, policy, versus_workload AS reference, metric, value, ratio, ratio_low, ratio_high FROM comparisons
    WHERE scope = 'all' AND policy = versus_policy AND workload <> versus_workload
    UNION
    SELECT versus_workload, policy, workload, metric, versus_value, 1 / ratio, 1 / ratio_high, 1 / ratio_low FROM comparisons
    WHERE scope = 'all' AND policy = versus_policy AND workload <> versus_workload AND ratio_low > 0
    UNION ALL
    SELECT reference, policy, reference, metric, value, 1, 1, 1 FROM intervals JOIN origin ON workload = reference WHERE scope = 'all'
), drawn AS (
    SELECT *, row_number() OVER (PARTITION BY workload, policy, reference, metric ORDER BY ratio) AS copy
    FROM pair WHERE metric IN ('mean_wait', 'mean_bounded_slowdown_10') AND ratio_low > 0
)
SELECT (SELECT any_value(label) FROM workloads AS w WHERE w.workload = origin) AS origin_label, s.policy, policy_label, metric,
    coalesce(variant, 'as submitted') AS variant, d.value, ratio, ratio_low, ratio_high
FROM origin
    JOIN shown AS s ON origin = coalesce(variant_of, s.workload)
    JOIN drawn AS d ON d.workload = s.workload AND d.policy = s.policy AND d.reference = origin.reference AND copy = 1
WHERE s.policy IN (SELECT policy FROM shown WHERE variant_of IS NOT NULL)
ORDER BY origin, metric DESC, variant_of IS NULL, position
