-- Cells of Table 3 with one application that communicates and one that reads a disk: the slowdown of the disk's less that of the
-- other. No parameters. Unit: none.
SELECT scope AS label, n.value - m.value AS value
FROM printed_values AS m
JOIN printed_values AS n USING (scope)
WHERE m.metric = 'table_3_row' AND n.metric = 'table_3_column' AND scope LIKE 'communicating%' AND scope LIKE '% & disk'
