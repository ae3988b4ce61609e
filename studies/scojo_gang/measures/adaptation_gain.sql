-- Response time lost without workload adaptation, less what is lost or gained without fragmentation adaptation.
-- Parameters: $workloads; $whole, the strategy with both; $without_wa; $without_fa. Unit: hours.
WITH by_run AS (
    SELECT
        workload, replication, any_value(value) FILTER (policy = $whole) AS whole,
        any_value(value) FILTER (policy = $without_wa) AS without_wa,
        any_value(value) FILTER (policy = $without_fa) AS without_fa
    FROM run_values
    WHERE metric = 'mean_response' AND scope = 'all' AND workload IN (SELECT unnest($workloads))
    GROUP BY ALL
)
SELECT
    w.label || ': lost without WA less what FA changes' AS label, replication AS unit,
    (without_wa - whole - abs(without_fa - whole)) / 3600 AS value
FROM by_run
JOIN workloads AS w USING (workload)
WHERE value IS NOT NULL
