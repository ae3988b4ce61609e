-- What a study shows, a row per workload and policy that has jobs.
SELECT c.study, c.workload, c.policy, c.position, p.label AS policy_label, p.family, w.label AS workload_label,
    w.kind, w.source, w.processors, w.target_load, w.variant_of, w.variant,
    -- the logs as they are; of each model what comes with a load of its own, and the heaviest of those asked for
    w.variant_of IS NULL AND (
        w.kind = 'log' OR w.target_load IS NULL
        OR w.target_load IS NOT DISTINCT FROM max(w.target_load) FILTER (w.variant_of IS NULL) OVER (PARTITION BY w.source)
    ) AS is_base
FROM cells AS c JOIN workloads AS w USING (workload) JOIN policies AS p USING (policy)
WHERE c.study = $study AND NOT w.missing AND w.jobs > 0
