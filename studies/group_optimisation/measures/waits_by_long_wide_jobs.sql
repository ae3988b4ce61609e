-- Mean wait in the draws of a seed with more long and wide jobs among all, beside that in the others: two values per seed, whose
-- means have the ratio. The middle one of an odd number of draws is left out. Parameters: $scopes; $policy.
WITH ranked AS (
    SELECT
        workload, replication,
        row_number() OVER (PARTITION BY workload ORDER BY w.value / a.value DESC, replication) AS place,
        count(*) OVER (PARTITION BY workload) AS draws
    FROM run_values AS w JOIN run_values AS a USING (workload, policy, replication, metric)
    WHERE metric = 'jobs' AND w.scope = 'long wide' AND a.scope = 'all' AND policy = $policy AND workload LIKE 'seed-%'
)
SELECT
    upper(scope[1]) || scope[2:] || ' jobs' AS label, workload AS unit,
    avg(value) FILTER (2 * place <= draws) AS value, avg(value) FILTER (2 * place > draws + 1) AS versus
FROM run_values JOIN ranked USING (workload, replication)
WHERE metric = 'mean_wait' AND scope IN (SELECT unnest($scopes)) AND policy = $policy
GROUP BY scope, workload
ORDER BY list_position($scopes, scope), unit
