-- Submissions by hour of day; $origin is the local time of the workload's origin, in seconds since a Monday's midnight.
SELECT slot, count(job) * 100.0 / sum(count(job)) OVER () AS share
FROM range(24) AS hours(slot)
    LEFT JOIN submitted ON slot = ((submit_us // 1000000 + $origin) % 86400) // 3600
GROUP BY slot
ORDER BY slot
