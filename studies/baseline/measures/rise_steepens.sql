-- How much more the bounded slowdown rises from load 0.70 to 0.90 than from 0.50 to 0.70, on the same jobs.
-- Parameters: $policies: policies, by id. Unit of analysis: a replication of the model.
WITH loaded AS (
    SELECT policy, unit, round(target_load, 2) AS load, value
    FROM independent_measurements
    JOIN workloads USING (workload)
    WHERE source = 'lublin' AND variant_of IS NULL AND metric = 'mean_bounded_slowdown_10' AND scope = 'all'
        AND policy IN (SELECT unnest($policies))
)
SELECT policies.label, unit, c.value - 2 * b.value + a.value AS value
FROM loaded AS a
JOIN loaded AS b USING (policy, unit)
JOIN loaded AS c USING (policy, unit)
JOIN policies USING (policy)
WHERE a.load = 0.5 AND b.load = 0.7 AND c.load = 0.9
ORDER BY policies.label, unit
