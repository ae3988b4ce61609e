-- How much lower a mean of some jobs is under one scheduler than under another, on the same jobs: a value per draw of the
-- synthetic workloads, in %.
--
-- $metrics, $scopes: what is averaged, over which jobs (a scope is a class of run times, or 'all', or class and width).
-- $policies, $versus: the schedulers and what each is compared with, pair by pair.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    upper(scope[1])
    || if(scope LIKE '% medium', replace(scope[2:], ' medium', ' jobs of medium width'), scope[2:] || ' jobs')
    || CASE metric WHEN 'mean_response' THEN ', response time' WHEN 'mean_wait' THEN ', wait' ELSE '' END
    || if(len($policies) > 1 AND policy LIKE '%\_ns' ESCAPE '\', ', without lending', '') AS label,
    workload || '/' || replication AS unit,
    100 * (1 - ratio) AS value
FROM run_ratios JOIN pairs USING (policy, versus_policy)
WHERE
    workload LIKE 'seed-%' AND metric IN (SELECT unnest($metrics)) AND scope IN (SELECT unnest($scopes))
ORDER BY list_position($policies, policy), list_position($metrics, metric), list_position($scopes, scope), unit
