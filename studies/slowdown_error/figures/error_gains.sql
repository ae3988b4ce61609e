-- Gain of matchmaking over PSS, on the same jobs, where pairs are slowed down by other than the model says. A policy without
-- error stands at the begin of every line of its strategy and formula.
WITH gains AS (
    SELECT
        workload_label, shown.position, split_part(policy_label, ', ', 1) AS strategy, parameters ->> 'slowdown' AS formula,
        100 * (parameters ->> 'model_error')::DOUBLE AS error,
        CASE
            WHEN (parameters ->> 'model_error')::DOUBLE = 0 THEN NULL
            WHEN parameters ->> 'preempt_above' <> 'off' THEN 'slower, parted above 2'
            WHEN parameters ->> 'error_side' = 'slower' THEN 'slower'
            ELSE 'either way'
        END AS kind, 100 * (1 - ratio) AS value, 100 * (1 - ratio_high) AS low, 100 * (1 - ratio_low) AS high, units
    FROM shown
    JOIN comparisons AS c USING (workload, policy)
    JOIN policies USING (policy)
    WHERE metric = $metric AND scope = 'all' AND versus_policy = 'pss' AND versus_workload = workload
),
kinds AS (SELECT DISTINCT strategy, kind FROM gains WHERE kind IS NOT NULL)
SELECT gains.* REPLACE (kinds.kind AS kind)
FROM gains JOIN kinds ON gains.strategy = kinds.strategy AND coalesce(gains.kind, kinds.kind) = kinds.kind
WHERE list_contains($strategies, gains.strategy) AND list_contains($kinds, kinds.kind)
ORDER BY formula, workload_label DESC, list_position($strategies, gains.strategy), list_position($kinds, kinds.kind), error
