WITH sized AS (
    SELECT ceil(log2(size))::INTEGER AS bin, count(*) AS n, sum(size * (runtime_us / 1e6)) AS processor_s
    FROM submitted GROUP BY bin
)
SELECT CASE WHEN bin <= 1 THEN (1 << bin)::VARCHAR ELSE ((1 << (bin - 1)) + 1) || '–' || (1 << bin) END AS label,
    100.0 * n / sum(n) OVER () AS jobs, 100 * processor_s / sum(processor_s) OVER () AS work
FROM sized
ORDER BY bin
