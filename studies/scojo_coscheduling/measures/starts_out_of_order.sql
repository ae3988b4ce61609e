-- Pairs of jobs of Table 5-1 that start in one order in the table and in the other here. Exact. Unit: pairs.
WITH quoted AS (
    SELECT split_part(scope, '=', 2)::BIGINT AS job, policy, value AS start
    FROM printed_values WHERE workload = 'table-5-1' AND metric = 'start'
),
starts AS (
    SELECT job, quoted.start AS printed, start_us AS ours FROM quoted JOIN jobs USING (job, policy) WHERE workload = 'table-5-1'
)
SELECT 'Pairs that start in the other order' AS label, count(*)::DOUBLE AS value
FROM starts AS a JOIN starts AS b ON a.printed < b.printed
WHERE a.ours >= b.ours AND (SELECT count(*) FROM starts) > 0
HAVING (SELECT count(*) FROM starts) > 0
