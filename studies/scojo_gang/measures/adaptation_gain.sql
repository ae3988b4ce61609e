-- Response time lost without workload adaptation, less what is lost or gained without fragmentation adaptation.
-- Parameters: $workloads; $whole, the strategy with both; $without_wa; $without_fa. Unit: hours.
WITH timed AS (FROM run_values WHERE metric = 'mean_response' AND scope = 'all' AND workload IN (SELECT unnest($workloads)))
SELECT
    w.label || ': lost without WA less what FA changes' AS label, replication AS unit,
    (no_wa.value - whole.value - abs(no_fa.value - whole.value)) / 3600 AS value
FROM timed AS whole
JOIN timed AS no_wa USING (workload, replication)
JOIN timed AS no_fa USING (workload, replication)
JOIN workloads AS w USING (workload)
WHERE whole.policy = $whole AND no_wa.policy = $without_wa AND no_fa.policy = $without_fa
