-- The larger measured slowdown of each cell of Table 3, the most where a range is printed, less the slowdown by the formula that
-- a strategy uses, with a factor of 1.4 for two that compute. Parameters: $policy. Unit: none.
WITH formula AS (SELECT parameters ->> 'slowdown' AS name FROM policies WHERE policy = $policy),
cells AS (
    SELECT
        scope, max(value) AS measured,
        split_part(split_part(scope, ' & ', 1), ' ', 1) AS one, split_part(split_part(scope, ' & ', 2), ' ', 1) AS other
    FROM printed_values WHERE metric LIKE 'table_3_%'
    GROUP BY scope
),
shared AS (SELECT *, if(one = other, if(one = 'computing', 1.4, 2), 0) AS cost FROM cells)
SELECT
    scope AS label,
    measured - CASE name WHEN 'unshared_counted' THEN if(cost = 0, 1, cost) WHEN 'printed_raw' THEN cost ELSE greatest(1, cost) END AS value
FROM shared CROSS JOIN formula
ORDER BY one = other, label
