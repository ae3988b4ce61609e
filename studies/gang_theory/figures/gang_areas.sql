-- The areas of a run as it was scheduled, and put together: rectangles with what they are, in hours and processors. As scheduled
-- a job has the processors it holds, averaged over the turns of the slots; what no job holds idles.
WITH held AS (
    SELECT
        job, begin_us / 3.6e9 AS begin_h, end_us / 3.6e9 AS end_h,
        processors * turn_us / (end_us - begin_us) AS height, sum(height) OVER (PARTITION BY begin_us ORDER BY job) AS upper
    FROM read_parquet($allocations)
    WHERE replication = 0
),
scheduled AS (
    SELECT 'job ' || job AS part, job, begin_h, end_h, upper - height AS lower, upper FROM held
    UNION ALL
    SELECT 'idle', NULL, begin_h, end_h, max(upper), $processors FROM held GROUP BY begin_h, end_h
),
areas AS (
    SELECT
        part, job, sum((end_h - begin_h) * (upper - lower)) / $processors AS width,
        sum(width) OVER (ORDER BY job NULLS LAST) AS end_h
    FROM scheduled GROUP BY part, job
)
SELECT 'As scheduled' AS panel, part, begin_h, end_h, lower, upper FROM scheduled
UNION ALL
SELECT 'Put together', part, end_h - width, end_h, 0, $processors FROM areas
ORDER BY panel, begin_h, lower
