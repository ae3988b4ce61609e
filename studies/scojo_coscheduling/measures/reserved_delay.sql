-- How much later than reserved jobs with a reserved start begin; negative: earlier. The earliest and the latest of all draws.
-- Parameters: $workloads. Unit: seconds.
WITH delays AS (
    SELECT workload, (j.start_us - o.start_us) / 1e6 AS delay
    FROM offers AS o JOIN jobs AS j USING (workload, policy, replication, job)
    WHERE taken = 'reserved' AND workload IN (SELECT unnest($workloads))
)
SELECT w.label || ', ' || unnest(['the earliest', 'the latest']) AS label, unnest([min(delay), max(delay)]) AS value
FROM delays JOIN workloads AS w USING (workload)
GROUP BY w.label
ORDER BY label
