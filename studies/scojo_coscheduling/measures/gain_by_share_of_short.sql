-- How much more a strategy gains over another in the parts of a workload with a high percentage of short and special jobs: less
-- the gain in the parts with a low one. A part begins with a long job and ends before the next; its percentage is high above that
-- of the whole workload and low below it. By response time, and by response time over the time from start to finish.
-- Parameters: $workload; $policy; $versus. Unit: points of the mean on the same jobs; a draw each.
WITH numbered AS (
    SELECT
        policy, replication, class = 'short' AS is_short,
        greatest(1, count_if(class = 'long') OVER (PARTITION BY policy, replication ORDER BY submit_us, job)) AS part,
        unnest(['response time', 'response time over elapsed time']) AS what,
        unnest([(finish_us - submit_us) / 1e6, (finish_us - submit_us) / (finish_us - start_us)]) AS mean
    FROM jobs WHERE workload = $workload AND policy IN ($policy, $versus)
),
compared_with_all AS (
    SELECT
        policy, replication, what, mean,
        avg(is_short::INTEGER) OVER (PARTITION BY policy, replication, part) AS share,
        avg(is_short::INTEGER) OVER (PARTITION BY policy, replication) AS of_all
    FROM numbered
),
gains AS (
    SELECT
        replication, what, share > of_all AS high,
        100 * (1 - avg(mean) FILTER (policy = $policy) / avg(mean) FILTER (policy = $versus)) AS gain
    FROM compared_with_all WHERE share <> of_all
    GROUP BY ALL
)
SELECT w.label || ', ' || what AS label, replication AS unit,
    any_value(gain) FILTER (high) - any_value(gain) FILTER (NOT high) AS value
FROM gains JOIN workloads AS w ON w.workload = $workload
GROUP BY w.label, what, replication
HAVING count(gain) = 2
ORDER BY what, unit
