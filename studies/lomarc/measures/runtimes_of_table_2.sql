-- Run times of Table 2, or projected ones where it has them, over the 60 s of an application on its own, beside the measured
-- slowdowns printed there. No parameters. Unit: none.
WITH cells AS (
    SELECT scope, split_part(metric, '_', -1) AS side, metric, value FROM printed_values
    WHERE regexp_matches(metric, '^table_2_((runtime|projected)_)?(row|column)$')
)
SELECT
    scope || ', ' || side AS label,
    coalesce(any_value(value) FILTER (metric LIKE '%projected%'), any_value(value) FILTER (metric LIKE '%runtime%')) / 60 AS value,
    any_value(value) FILTER (metric NOT LIKE '%projected%' AND metric NOT LIKE '%runtime%') AS printed
FROM cells
GROUP BY scope, side
ORDER BY label
