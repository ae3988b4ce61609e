WITH classed AS (
    SELECT greatest(0, floor(3 * log10(runtime_us / 1e6)))::INTEGER AS bin, count(*) AS n,
        sum(size * (runtime_us / 1e6)) AS processor_s
    FROM submitted GROUP BY bin
), every AS (
    SELECT bin, coalesce(n, 0) AS n, coalesce(processor_s, 0) AS processor_s
    FROM (SELECT unnest(range(0, max(bin) + 2)) AS bin FROM classed) LEFT JOIN classed USING (bin)
)
SELECT 10 ** (bin / 3) AS from_s, 10 ** ((bin + 1) / 3) AS to_s,
    100.0 * n / sum(n) OVER () AS jobs, 100 * processor_s / sum(processor_s) OVER () AS work
FROM every
ORDER BY bin
