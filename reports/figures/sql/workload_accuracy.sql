SELECT 5 * least(20, floor(20 * runtime_us / estimate_us))::INTEGER AS percent, percent + 5 AS upper,
    100.0 * count(*) / sum(count(*)) OVER () AS share
FROM submitted GROUP BY percent
ORDER BY percent
