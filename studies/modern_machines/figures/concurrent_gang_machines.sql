-- What is done on a full machine, in % of its processor time: computing, messages, and requests that disks serve; a row per draw.
SELECT
    workload, workload_label, policy, policy_label, replication AS unit,
    100 * (compute_share + message_share + disk_utilisation) AS value
FROM activity
JOIN shown USING (workload, policy)
WHERE whole
ORDER BY workload, position, unit
