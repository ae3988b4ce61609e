-- The larger of the two slowdowns of each cell of Table 3 whose applications are of different classes. No parameters. Unit: none.
SELECT scope AS label, greatest(m.value, n.value) AS value
FROM printed_values AS m
JOIN printed_values AS n USING (scope)
WHERE m.metric = 'table_3_row' AND n.metric = 'table_3_column'
    AND split_part(split_part(scope, ' & ', 1), ' ', 1) <> split_part(split_part(scope, ' & ', 2), ' ', 1)
