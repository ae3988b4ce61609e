WITH origin AS (SELECT DISTINCT coalesce(variant_of, workload) AS origin FROM shown WHERE variant_of IS NOT NULL)
SELECT policy, policy_label, coalesce(variant, 'as submitted') AS variant, value,
    (SELECT any_value(label) FROM workloads AS w WHERE w.workload = origin.origin) AS origin_label,
    try_cast(regexp_extract(coalesce(variant, ''), '([0-9.]+)', 1) AS DOUBLE) AS factor,
    greatest(low, value / 20) AS low, high
FROM shown JOIN origin ON origin.origin = coalesce(variant_of, workload)
    JOIN intervals USING (workload, policy)
WHERE metric = 'mean_bounded_slowdown_10' ORDER BY factor NULLS FIRST, variant, position
