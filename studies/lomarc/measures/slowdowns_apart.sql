-- Cells of a table of two applications of different kinds: the measured slowdown of the first kind less that of the other.
-- Parameters: $kinds: granularity (Table 2: messages that are small less those that are large) or disk (Table 3: the application
-- that reads a disk less the one that communicates). Unit: none.
SELECT
    scope AS label,
    CASE WHEN $kinds = 'granularity' AND scope LIKE '%/200 &%' THEN m.value - n.value ELSE n.value - m.value END AS value
FROM printed_values AS m
JOIN printed_values AS n USING (scope)
WHERE m.metric = if($kinds = 'disk', 'table_3_row', 'table_2_row')
    AND n.metric = if($kinds = 'disk', 'table_3_column', 'table_2_column')
    AND if($kinds = 'disk', scope LIKE 'communicating% & disk',
        regexp_extract(scope, '/([0-9]+) &', 1) <> regexp_extract(scope, '/([0-9]+)$', 1))
