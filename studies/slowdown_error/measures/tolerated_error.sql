-- The largest error of the slowdown model, in % of what it says, at which matchmaking still gains over PSS for sure: where the
-- lower end of the 95 % interval of its gain in mean response time reaches 0, straight between the errors that were simulated,
-- in whole per cent; the largest of those where it stays above 0. Exact.
-- Parameters: $workloads; $strategies; $formulas (printed, unshared_counted); $kinds (either way; slower; parted: slower, and
-- pairs slowed down more than twofold are parted). Unit: %.
WITH gains AS (
    SELECT
        workload, split_part(label, ', ', 1) AS strategy, parameters ->> 'slowdown' AS formula,
        100 * (parameters ->> 'model_error')::DOUBLE AS error,
        CASE
            WHEN (parameters ->> 'model_error')::DOUBLE = 0 THEN NULL
            WHEN parameters ->> 'preempt_above' <> 'off' THEN 'parted'
            WHEN parameters ->> 'error_side' = 'slower' THEN 'slower'
            ELSE 'either way'
        END AS kind, 1 - ratio_high AS low
    FROM comparisons
    JOIN policies USING (policy)
    WHERE metric = 'mean_response' AND scope = 'all' AND versus_policy = 'pss' AND versus_workload = workload
        AND workload IN (SELECT unnest($workloads))
),
lines AS (
    SELECT workload, strategy, formula, k.kind, error, low,
        lead(error) OVER line AS next_error, lead(low) OVER line AS next_low
    FROM gains
    JOIN (SELECT unnest($kinds) AS kind) AS k ON coalesce(gains.kind, k.kind) = k.kind
    WHERE strategy IN (SELECT unnest($strategies)) AND formula IN (SELECT unnest($formulas))
    WINDOW line AS (PARTITION BY workload, strategy, formula, k.kind ORDER BY error)
)
SELECT
    w.label || ', ' || strategy || ', ' || replace(formula, '_', ' ') || ', ' || l.kind AS label,
    CASE
        WHEN count(low) < count(*) THEN NULL
        WHEN min_by(low, error) <= 0 THEN min(error)
        ELSE coalesce(
            round(min(error + (next_error - error) * low / (low - next_low)) FILTER (low > 0 AND next_low <= 0)), max(error)
        )
    END AS value
FROM lines AS l JOIN workloads AS w USING (workload)
GROUP BY workload, w.label, strategy, formula, l.kind
HAVING count(*) > 1
ORDER BY w.label DESC, formula, list_position($strategies, strategy), list_position($kinds, l.kind)
