WITH classed AS (
    SELECT greatest(0, floor(3 * log10(runtime_us / 1e6)))::INTEGER AS class, count(*) AS n,
        sum(size * (runtime_us / 1e6)) AS processor_s
    FROM submitted
    GROUP BY class
), every AS (
    SELECT class, coalesce(n, 0) AS n, coalesce(processor_s, 0) AS processor_s
    FROM (SELECT unnest(range(0, max(class) + 2)) AS class FROM classed) LEFT JOIN classed USING (class)
)
SELECT 10 ** (class / 3) AS from_s, 10 ** ((class + 1) / 3) AS to_s,
    100.0 * n / sum(n) OVER () AS jobs, 100 * processor_s / sum(processor_s) OVER () AS work
FROM every
ORDER BY class
