-- The twelve jobs of Table 5-1: how far the shares that a job is assigned lie outside the printed share or range. Exact.
-- Unit: points of the processor time.
WITH quoted AS (
    SELECT split_part(scope, '=', 2)::BIGINT AS job, policy,
        max(value) FILTER (metric = 'least_share') AS least, max(value) FILTER (metric = 'largest_share') AS most
    FROM printed_values WHERE workload = 'table-5-1' AND metric IN ('least_share', 'largest_share') GROUP BY ALL
)
SELECT 'Job ' || job AS label, 100 * greatest(0, least - least_ppm / 1e6, most_ppm / 1e6 - most) AS value
FROM quoted JOIN assigned_shares USING (job, policy)
WHERE workload = 'table-5-1'
ORDER BY job
