-- How the worst case of one class of jobs changes by ordering groups over how that of another does: two values per draw of the
-- synthetic workloads (the ratio to the scheduler without groups, of one class and of the other), whose means have the ratio.
--
-- $metric: the largest bounded slowdown or another worst case. $scope, $other: the classes. $policy, $versus: the two schedulers.
SELECT
    upper($scope[1]) || $scope[2:] || ' jobs over ' || $other || ' ones' AS label,
    workload || '/' || replication AS unit,
    any_value(ratio) FILTER (scope = $scope) AS value,
    any_value(ratio) FILTER (scope = $other) AS versus
FROM run_ratios
WHERE
    workload LIKE 'seed-%' AND metric = $metric AND scope IN ($scope, $other)
    AND policy = $policy AND versus_policy = $versus
GROUP BY workload, replication
ORDER BY unit
