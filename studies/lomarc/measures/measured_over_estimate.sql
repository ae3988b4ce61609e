-- The larger of the two measured slowdowns of each cell of Table 2 over the estimate beside it. No parameters. Unit: none.
SELECT scope AS label, greatest(m.value, n.value) / e.value AS value
FROM printed_values AS e
JOIN printed_values AS m USING (scope)
JOIN printed_values AS n USING (scope)
WHERE e.metric = 'table_2_estimate' AND m.metric = 'table_2_row' AND n.metric = 'table_2_column'
