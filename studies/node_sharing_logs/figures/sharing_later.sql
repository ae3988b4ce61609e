-- Jobs that finish later with matchmaking than under PSS, and earlier, as shares of all; at least a minute apart.
SELECT
    split_part(shown.workload_label, ', ', 1) AS log, shown.policy, policy_label, 100 * target_load AS load,
    100 * count(*) FILTER (a.finish_us > b.finish_us + 60e6) / count(*) AS later,
    100 * count(*) FILTER (a.finish_us < b.finish_us - 60e6) / count(*) AS earlier,
    median((a.finish_us - b.finish_us) / 3600e6) FILTER (a.finish_us > b.finish_us + 60e6) AS later_h,
    median((b.finish_us - a.finish_us) / 3600e6) FILTER (a.finish_us < b.finish_us - 60e6) AS earlier_h
FROM shown
JOIN jobs AS a USING (workload, policy)
JOIN jobs AS b ON b.workload = a.workload AND b.replication = a.replication AND b.job = a.job
WHERE b.policy = 'pss' AND shown.policy <> 'pss' AND shown.target_load IS NOT NULL AND a.outcome <> 'rejected'
    AND len(string_split(shown.workload_label, ', ')) = 2 -- not those drawn anew
GROUP BY ALL
ORDER BY log DESC, any_value(shown.position), load
