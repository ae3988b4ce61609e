-- Share of the orders of a search that the threshold of discrepancies discards, in %: of the first $orders in depth-first order,
-- for a part of eight jobs or more. Exact. Parameters: $policy, $orders.
SELECT
    'Orders below the threshold' AS label,
    100 * (
        SELECT count_if(discrepancies < (parameters ->> 'discrepancies_from')::INTEGER) / count(*)
        FROM (
            SELECT count_if((number // factorial((base - 1)::INTEGER)::BIGINT) % base > 0) AS discrepancies
            FROM range($orders) AS generated (number), range(2, 9) AS places (base)
            GROUP BY number
        )
    ) AS value
FROM policies
WHERE policy = $policy
