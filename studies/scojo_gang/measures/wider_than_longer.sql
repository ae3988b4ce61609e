-- Jobs over all instances that are wider than the narrowest job of a longer class in their instance. Exact.
-- Parameters: $workloads. Unit: jobs.
WITH asked AS (
    SELECT workload, replication, class, size FROM jobs
    WHERE policy = 'scojo_fcfs' AND workload IN (SELECT unnest($workloads))
),
narrowest AS (SELECT workload, replication, class, min(size) AS size FROM asked GROUP BY ALL)
SELECT
    w.label || ', ' || shorter || ' jobs wider than the narrowest ' || longer || ' job' AS label,
    count(*) FILTER (a.size > n.size)::DOUBLE AS value
FROM (VALUES (1, 'short', 'medium'), (2, 'short', 'long'), (3, 'medium', 'long')) AS pairs (place, shorter, longer)
JOIN asked AS a ON a.class = shorter
JOIN narrowest AS n ON n.class = longer AND (n.workload, n.replication) = (a.workload, a.replication)
JOIN workloads AS w ON w.workload = a.workload
GROUP BY w.label, place, shorter, longer
ORDER BY w.label, place
