-- What one scheduler has more than another of a metric of whole runs, on the same jobs: a value per draw of the synthetic workloads,
-- in the metric's unit times $scale (100: points of %).
--
-- $metric, $policy, $versus: of what, which and whom. $scale: what the difference is multiplied by. $label: what the row is called.
SELECT
    $label AS label,
    workload || '/' || replication AS unit,
    $scale * (mine.value - theirs.value) AS value
FROM metrics AS mine JOIN metrics AS theirs USING (workload, replication, metric, scope)
WHERE
    workload LIKE 'seed-%' AND metric = $metric AND scope = 'all'
    AND mine.policy = $policy AND theirs.policy = $versus
ORDER BY unit
