-- Table 5-2: the largest slowdown of an application over its smallest, by the application beside it. Arithmetic on printed numbers.
-- Unit: none.
SELECT split_part(scope, ' beside ', 1) AS label, max(value) / min(value) AS value
FROM printed_values WHERE metric = 'slowdown' AND scope LIKE '% beside %'
GROUP BY label ORDER BY label
