-- Submissions by hour of day ($slots 24, of 3,600 s) or by day of the week (7 of 86,400 s, Monday first).
-- Parameters: $slots; $slot_s; $origin, the local time of the workload's origin, in seconds since a Monday's midnight.
SELECT slot, count(job) * 100.0 / sum(count(job)) OVER () AS share
FROM range($slots) AS times(slot)
    LEFT JOIN submitted ON slot = ((submit_us // 1000000 + $origin) % ($slots * $slot_s)) // $slot_s
GROUP BY slot
ORDER BY slot
