-- Mean slowdown of integer applications in Table 1 over that of floating-point ones: beside their equal, and beside each other.
-- No parameters. Unit: none.
SELECT
    if(metric = 'table_1_same', 'beside its equal', 'beside the other type') AS label,
    avg(value) FILTER (scope LIKE 'int%') / avg(value) FILTER (scope LIKE 'float%') AS value
FROM printed_values
WHERE metric IN ('table_1_same', 'table_1_mixed')
GROUP BY metric
ORDER BY label DESC
