-- What processors did with their time, in % of all of it, a row per activity and draw.
SELECT workload, workload_label, policy, policy_label, replication AS unit, activity, 100 * share AS value
FROM (
    UNPIVOT (SELECT * FROM activity WHERE whole)
    ON compute_share AS compute, message_share AS message, spin_share AS spin, switch_share AS switch,
        blocked_share AS blocked, empty_share AS empty
    INTO NAME activity VALUE share
)
JOIN shown USING (workload, policy)
WHERE workload IN (SELECT unnest($workloads)) AND policy IN (SELECT unnest($policies))
ORDER BY list_position($workloads, workload), position, unit
