-- How a mean changes with the portion of slack: the slope of a straight line (least squares) through its values at all portions
-- that are run of a draw, for a portion of 100 %, and their mean: two values per draw, whose means have the ratio. Schedules that
-- are the same whatever the portion have a slope of nothing, in every draw.
-- Parameters: $metric; $scopes, of which jobs; $arms: with or without propagation. Unit: per cent for 100 %.
WITH points AS (
    SELECT split_part(policy, '-', 1) AS arm, scope, replication, (parameters ->> 'slpa')::DOUBLE AS portion, value
    FROM run_values JOIN policies USING (policy)
    WHERE workload = 'four-seeds' AND metric = $metric AND scope IN (SELECT unnest($scopes))
        AND split_part(policy, '-', 1) IN (SELECT unnest($arms))
)
SELECT
    upper(scope[1]) || scope[2:] || ', ' || arm || ' propagation' AS label,
    replication AS unit, round(100 * regr_slope(value, portion), 9) AS value, avg(value) AS versus
FROM points GROUP BY scope, arm, replication
HAVING count(*) > 1
ORDER BY list_position($scopes, scope), list_position($arms, arm), unit
