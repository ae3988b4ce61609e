-- The overall slowdown of the two applications of each cell of Table 2 by the formula that a strategy uses, beside the estimate
-- printed there: on processors that slow both down (c = 2), and where computing slows nothing (c = 1).
-- Parameters: $policy. Unit: none.
WITH formula AS (SELECT parameters ->> 'slowdown' AS name FROM policies WHERE policy = $policy),
cells AS (
    SELECT
        scope, metric, printed, least(1 - f, 1 - g) AS computing, least(f, g) AS communicating,
        if(metric = 'table_2_estimate', 2, 1) AS c
    FROM (
        SELECT
            *, regexp_extract(scope, '^([0-9.]+)', 1)::DOUBLE AS f, regexp_extract(scope, ' & ([0-9.]+)', 1)::DOUBLE AS g
        FROM printed_values WHERE metric IN ('table_2_estimate', 'table_2_estimate_free')
    )
)
SELECT
    scope || if(c = 2, '', ', computing free') AS label,
    CASE name
        WHEN 'unshared_counted' THEN 1 + (c - 1) * computing + communicating
        WHEN 'printed_raw' THEN c * computing + 2 * communicating
        ELSE greatest(1, c * computing + 2 * communicating)
    END AS value, printed
FROM cells CROSS JOIN formula
ORDER BY c DESC, label
