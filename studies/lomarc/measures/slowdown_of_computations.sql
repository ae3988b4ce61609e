-- Slowdowns of two equal applications in Table 1, over that of the one that adds floating-point numbers without using the cache.
-- No parameters. Unit: none.
SELECT a.scope AS label, a.value / b.value AS value
FROM printed_values AS a
JOIN printed_values AS b USING (metric)
WHERE metric = 'table_1_same' AND b.scope = 'float+ 0' AND a.scope <> 'float+ 0'
