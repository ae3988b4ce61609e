WITH sized AS (
    SELECT ceil(log2(size))::INTEGER AS class, count(*) AS n, sum(size * (runtime_us / 1e6)) AS processor_s
    FROM submitted
    GROUP BY class
)
SELECT CASE WHEN class <= 1 THEN (1 << class)::VARCHAR ELSE ((1 << (class - 1)) + 1) || '–' || (1 << class) END AS label,
    100.0 * n / sum(n) OVER () AS jobs, 100 * processor_s / sum(processor_s) OVER () AS work
FROM sized
ORDER BY class
