-- How much larger the slowdown is in the heavier of the two cases of paging, over how much larger the memory is that two
-- applications lack on a node of 512 Mbyte. No parameters. Unit: none.
WITH cases AS (
    SELECT value, 2 * regexp_extract(scope, '^([0-9]+)', 1)::DOUBLE - 512 AS lacking FROM printed_values WHERE metric = 'paging'
)
SELECT
    'two of 400 Mbyte over two of 267 Mbyte' AS label,
    (arg_max(value, lacking) / arg_min(value, lacking)) / (max(lacking) / min(lacking)) AS value
FROM cases
HAVING count(*) > 1
