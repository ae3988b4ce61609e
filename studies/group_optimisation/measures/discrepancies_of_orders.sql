-- Discrepancies of the orders that a depth-first search generates, one after the other: the digits of the order's number that
-- are not 0, where the last place counts to 2, the one before to 3, and so on. Exact.
SELECT
    'Order ' || scope AS label,
    (SELECT count_if(((scope::BIGINT - 1) // factorial((base - 1)::INTEGER)::BIGINT) % base > 0) FROM range(2, 9) AS places (base))::DOUBLE AS value,
    printed
FROM printed_values
WHERE source = 'Kanavallil 2007' AND metric = 'discrepancies'
ORDER BY scope::INTEGER
