-- Submissions by day of the week, Monday first; $origin as for the hours.
SELECT slot, count(job) * 100.0 / sum(count(job)) OVER () AS share
FROM range(7) AS days(slot)
    LEFT JOIN submitted ON slot = ((submit_us // 1000000 + $origin) % 604800) // 86400
GROUP BY slot
ORDER BY slot
