-- What ordering groups gains in the draws of a seed with more long-narrow jobs among the long ones, less what it gains in the
-- others: a value per seed, in points of %. The middle one of an odd number of draws is left out.
-- Parameters: $metric, $scopes; $policy, $versus.
WITH ranked AS (
    SELECT
        workload, replication, row_number() OVER (PARTITION BY workload ORDER BY long_narrow / jobs DESC, replication) AS place,
        count(*) OVER (PARTITION BY workload) AS draws
    FROM characteristics WHERE class = 'long'
)
SELECT
    upper(scope[1]) || scope[2:] || ' jobs' AS label, workload AS unit,
    100 * (avg(ratio) FILTER (2 * place > draws + 1) - avg(ratio) FILTER (2 * place <= draws)) AS value
FROM run_ratios JOIN ranked USING (workload, replication)
WHERE workload LIKE 'seed-%' AND metric = $metric AND scope IN (SELECT unnest($scopes))
    AND policy = $policy AND versus_policy = $versus
GROUP BY scope, workload
ORDER BY list_position($scopes, scope), unit
