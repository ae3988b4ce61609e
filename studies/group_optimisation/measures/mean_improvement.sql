-- The improvement of some kinds of jobs by one scheduler over another, averaged over the kinds: a value per draw of the
-- synthetic workloads, in %.
--
-- $metric, $scopes: what is averaged, over which kinds of jobs. $policies, $versus: the schedulers and what each is compared
-- with, pair by pair. $label: what the row is called.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    $label || if(policy LIKE '%\_ns' ESCAPE '\', ', without lending', '') AS label,
    workload || '/' || replication AS unit,
    100 * avg(1 - ratio) AS value
FROM run_ratios JOIN pairs USING (policy, versus_policy)
WHERE workload LIKE 'seed-%' AND metric = $metric AND scope IN (SELECT unnest($scopes))
GROUP BY policy, workload, replication
HAVING count(*) = len($scopes)
ORDER BY list_position($policies, policy), unit
