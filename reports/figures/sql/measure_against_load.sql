-- A curve is a model, or a log, on a machine of one size. A line joins one workload a load, so what has several is left out.
WITH curves AS (
    SELECT source, processors, if(count(*) OVER (PARTITION BY source) > 1, format('{}, {} processors', source, processors), source)
        AS curve
    FROM shown WHERE target_load IS NOT NULL AND variant_of IS NULL
    GROUP BY source, processors
    HAVING count(DISTINCT target_load) > 1 AND count(DISTINCT workload) = count(DISTINCT target_load)
)
SELECT policy, policy_label, curve AS source, round(100 * target_load) AS load, value, units,
    low, high
FROM shown JOIN curves USING (source, processors) JOIN intervals USING (workload, policy)
WHERE metric = $metric AND scope = 'all' AND target_load IS NOT NULL AND variant_of IS NULL
ORDER BY curve, position, load
