-- How much more the jobs of one seed improve by ordering groups than those of the other seeds do in the mean: a value per draw,
-- in points of %. Draws of different workloads are independent, so that any pairing of them will do: by their number.
-- Parameters: $workload: the seed; $metric, $scopes: what is averaged, over which jobs; $policy, $versus.
SELECT
    upper(scope[1]) || scope[2:] || ' jobs, less those of the other seeds' AS label, replication AS unit,
    100 * (avg(ratio) FILTER (workload <> $workload) - avg(ratio) FILTER (workload = $workload)) AS value
FROM run_ratios
WHERE workload LIKE 'seed-%' AND metric = $metric AND scope IN (SELECT unnest($scopes))
    AND policy = $policy AND versus_policy = $versus
GROUP BY scope, replication
ORDER BY list_position($scopes, scope), unit
