-- A metric under one scheduler over the same under another, on the same jobs: two values per draw of the synthetic workloads, whose
-- means have the ratio.
--
-- $metric, $scopes: what, of which jobs. $policies, $versus: the schedulers, pair by pair.
WITH pairs AS (SELECT unnest($policies) AS policy, unnest($versus) AS versus_policy)
SELECT
    upper(scope[1]) || scope[2:] || ' jobs' || if(len($policies) = 1, '', ', ' || mine_label.label) AS label,
    workload || '/' || replication AS unit,
    mine.value, theirs.value AS versus
FROM pairs
JOIN metrics AS mine USING (policy)
JOIN metrics AS theirs USING (workload, replication, metric, scope)
JOIN policies AS mine_label ON mine_label.policy = mine.policy
WHERE
    theirs.policy = pairs.versus_policy AND workload LIKE 'seed-%'
    AND metric = $metric AND scope IN (SELECT unnest($scopes))
ORDER BY list_position($policies, mine.policy), list_position($scopes, scope), unit
