-- What processors did with their time to the end of the run, in % of all of it, a row per activity and draw.
-- Parameters: $workloads and $policies; without them the workloads that general figures show, under all policies.
SELECT workload, workload_label, policy, policy_label, replication AS unit, activity, 100 * share AS value
FROM (
    UNPIVOT (SELECT * FROM activity WHERE whole)
    ON compute_share AS compute, message_share AS message, spin_share AS spin, switch_share AS switch,
        blocked_share AS blocked, empty_share AS empty
    INTO NAME activity VALUE share
)
JOIN shown USING (workload, policy)
WHERE if($workloads IS NULL, is_base, list_contains($workloads, workload) AND list_contains($policies, policy))
ORDER BY list_position($workloads, workload), workload_label, position, unit, activity
