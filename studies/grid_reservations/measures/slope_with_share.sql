-- How a mean changes with the share of tasks: the slope of a straight line (least squares) through its values at all shares of a
-- draw, for ten points of share, over their mean. Without workflows all policies have the same schedule, which is run once.
-- Parameters: $metric; $scopes, of which jobs; $policies; $workloads and $shares (per cent), taken in pairs. Unit: per cent for
-- ten points; a draw each.
WITH shares AS (SELECT unnest($workloads) AS workload, unnest($shares) AS share),
asked AS (SELECT unnest($policies) AS policy),
points AS (
    SELECT asked.policy, scope, replication, share, value
    FROM run_values AS m
    JOIN shares USING (workload)
    JOIN asked ON asked.policy = m.policy OR m.workload = 'p-0' AND m.policy = 'no-workflows'
    WHERE metric = $metric AND scope IN (SELECT unnest($scopes))
)
SELECT
    if(scope = 'all', 'All workflows', upper(scope[1]) || scope[2:]) || if(len($policies) = 1, '', ', ' || p.label) AS label,
    replication AS unit, 1000 * regr_slope(value, share) / avg(value) AS value
FROM points JOIN policies AS p USING (policy)
GROUP BY scope, policy, p.label, replication
HAVING count(*) > 1
ORDER BY list_position($scopes, scope), list_position($policies, policy), unit
