-- What tables of the source print of the groups of the five synthetic workloads, in the mean over them: a value per draw, beside
-- the mean of the printed ones.
-- Parameters: $policy; $metrics: as in the store; shares are in %.
WITH quoted AS (
    SELECT metric, avg(printed) AS printed, any_value(printed_scale) AS scale, sum(printed_draws) AS draws
    FROM printed_values
    WHERE source = 'Kanavallil 2007' AND policy = $policy AND metric IN (SELECT unnest($metrics))
        AND workload LIKE 'seed-%' AND workload <> 'seed-13'
    GROUP BY metric
)
SELECT
    upper(called[1]) || called[2:] AS label, workload || '/' || unit AS unit, value / scale AS value, printed, 1 AS digits, draws
FROM measured('run') JOIN quoted USING (metric)
WHERE workload LIKE 'seed-%' AND workload <> 'seed-13' AND policy = $policy AND scope = 'all'
ORDER BY list_position($metrics, metric), unit
