-- How often a task blocked as it waited for a message or a barrier, in all draws. Exact.
-- Parameters: $policy; $workloads. Unit: times.
SELECT w.label, sum(blocked)::DOUBLE AS value
FROM application_sums
JOIN workloads AS w USING (workload)
WHERE policy = $policy AND workload IN (SELECT unnest($workloads))
GROUP BY w.label, workload
ORDER BY list_position($workloads, workload)
