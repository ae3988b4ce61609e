-- How many jobs of the log the model is fitted to.
-- Parameters: $workload.
SELECT
    'jobs of the log in the days of the model' AS label,
    CAST(json_extract(provenance, '$[0].fit.log.jobs') AS DOUBLE) AS value
FROM workloads
WHERE workload = $workload AND NOT missing
