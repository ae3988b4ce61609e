-- Slowdowns of Table 1 within 0.1 of each of two numbers. No parameters. Unit: measurements, of twenty.
SELECT 'close to ' || assumed AS label, count(*) FILTER (abs(value - assumed) < 0.1001)::DOUBLE AS value
FROM printed_values CROSS JOIN (VALUES (1.4), (2.0)) AS model (assumed)
WHERE metric IN ('table_1_same', 'table_1_mixed')
GROUP BY assumed
ORDER BY assumed
