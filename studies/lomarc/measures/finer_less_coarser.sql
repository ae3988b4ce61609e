-- Cells of Table 2 in which one application communicates in small messages and the other in large ones: the measured slowdown of
-- the first less that of the second. No parameters. Unit: none.
SELECT scope AS label, if(scope LIKE '%/200 &%', m.value - n.value, n.value - m.value) AS value
FROM printed_values AS m
JOIN printed_values AS n USING (scope)
WHERE m.metric = 'table_2_row' AND n.metric = 'table_2_column'
    AND regexp_extract(scope, '/([0-9]+) &', 1) <> regexp_extract(scope, '/([0-9]+)$', 1)
