-- Applications of Table 1 that use the cache and are slowed less beside their equal than the same without use of the cache.
-- No parameters. Unit: applications, of eight.
SELECT 'applications that use the cache' AS label, count(*) FILTER (a.value < b.value)::DOUBLE AS value
FROM printed_values AS a
JOIN printed_values AS b ON b.metric = a.metric AND b.scope = split_part(a.scope, ' ', 1) || ' 0'
WHERE a.metric = 'table_1_same' AND a.scope NOT LIKE '% 0'
HAVING count(*) > 0
