-- What measures and figures share: classes of jobs, and A against B. Macros read the tables of the reading in which they are used.

-- Length of a job by its run time, in seconds.
CREATE MACRO length_class(run_s) AS
    CASE WHEN run_s < 600 THEN 'short' WHEN run_s < 10800 THEN 'medium' ELSE 'long' END;

-- Width of a job by its part of the machine.
CREATE MACRO width_class(size, processors) AS
    CASE WHEN size * 10 <= processors THEN 'narrow' WHEN size * 2 <= processors THEN 'medium' ELSE 'wide' END;

-- What a workload is made of, by class of run time: share of the jobs (%), mean size, mean run time (s), a row per draw.
CREATE MACRO made_of(of_workload, under) AS TABLE
    SELECT
        replication, length_class(runtime_us / 1e6) AS class, avg(size) AS mean_size, avg(runtime_us) / 1e6 AS mean_runtime,
        100 * count(*) / sum(count(*)) OVER (PARTITION BY replication) AS job_share
    FROM jobs WHERE workload = of_workload AND policy = under
    GROUP BY 1, 2;

-- Words of labels: what A and B have in common is said once.
CREATE MACRO over(mine, theirs) AS if(mine = theirs, mine, mine || ' over ' || theirs);

-- Measurements, and what their metric is called. per: 'run' (a value per replication), or 'unit' (per independent unit: a replication
-- of a model, a batch of a log).
CREATE MACRO measured(per) AS TABLE
    SELECT
        workload, policy, m.unit, metric, scope, value, k.better,
        coalesce(lower(k.label[1]) || k.label[2:], replace(metric, '_', ' '))
        || CASE
            WHEN scope = 'all' THEN '' WHEN regexp_matches(scope, '^(cluster|by) ') THEN ', ' || scope
            WHEN scope LIKE 'task%' THEN ' of ' || scope ELSE ' of ' || regexp_replace(scope, '^(any |[a-z]+=)', '') || ' jobs'
        END AS called
    FROM measurements AS m
    JOIN workloads AS w USING (workload)
    LEFT JOIN metric_catalogue AS k USING (metric)
    WHERE m.unit_kind = if(per = 'run', 'replication', w.unit_kind);

-- A list of pairs [A, B], a row each, in their order.
CREATE MACRO pairs_of(list) AS TABLE
    SELECT pair[1] AS mine, pair[2] AS theirs, place
    FROM (SELECT unnest(list) AS pair, generate_subscripts(list, 1) AS place);

-- A against B, unit by unit: value is A's, versus B's. All parameters but per are lists of pairs [A, B]; where A and B have the same
-- workload, metric or scope, a pair names it twice.
CREATE MACRO against(policy_pairs, workload_pairs, metric_pairs, scope_pairs, per) AS TABLE
    SELECT
        a.workload, b.workload AS versus_workload, a.policy, b.policy AS versus_policy, a.metric, b.metric AS versus_metric,
        a.scope, b.scope AS versus_scope, a.unit, a.value, b.value AS versus, a.better,
        over(a.called, b.called) AS what_words,
        [m.place, s.place, w.place, p.place] AS place
    FROM pairs_of(policy_pairs) AS p
    CROSS JOIN pairs_of(workload_pairs) AS w
    CROSS JOIN pairs_of(metric_pairs) AS m
    CROSS JOIN pairs_of(scope_pairs) AS s
    JOIN measured(per) AS a ON a.workload = w.mine AND a.policy = p.mine AND a.metric = m.mine AND a.scope = s.mine
    JOIN measured(per) AS b ON
        b.workload = w.theirs AND b.policy = p.theirs AND b.metric = m.theirs AND b.scope = s.theirs AND b.unit = a.unit;

-- A against B with a label for each row, and its parts: where, what, who. pooled: the workloads are one sample, called so; '' where
-- each has rows of its own.
CREATE MACRO compared(policy_pairs, workload_pairs, metric_pairs, scope_pairs, per, pooled) AS TABLE
    SELECT
        c.* EXCLUDE (unit), c.unit AS draw,
        if(pooled = '', c.unit::VARCHAR, c.workload || '/' || c.unit) AS unit,
        if(pooled = '', over(w.label, v.label), pooled) AS where_words,
        over(p.label, q.label) AS who_words,
        where_words || ', ' || c.what_words || ': ' || who_words AS label
    FROM against(policy_pairs, workload_pairs, metric_pairs, scope_pairs, per) AS c
    JOIN workloads AS w ON w.workload = c.workload
    JOIN workloads AS v ON v.workload = c.versus_workload
    JOIN policies AS p ON p.policy = c.policy
    JOIN policies AS q ON q.policy = c.versus_policy;

-- How far A is from B, by the word that a claim uses. Of means: the numerator, whose mean is taken over that of B.
CREATE MACRO change_of_means(change, value, versus) AS
    CASE change WHEN 'ratio' THEN value WHEN '% of' THEN 100 * value WHEN '% more' THEN 100 * (value - versus)
        WHEN '% less' THEN 100 * (versus - value) END;

-- Of one unit.
CREATE MACRO change_of_unit(change, value, versus, better) AS
    CASE change WHEN 'difference' THEN value - versus WHEN 'points more' THEN 100 * (value - versus)
        WHEN 'points less' THEN 100 * (versus - value) WHEN 'mean % of' THEN 100 * value / versus
        WHEN 'mean % more' THEN 100 * (value / versus - 1) WHEN 'mean % less' THEN 100 * (1 - value / versus)
        WHEN 'mean % better' THEN if(better = 'high', 100 * (value / versus - 1), 100 * (1 - value / versus)) END;

-- From a list of pairs: A's twice, or B's twice.
CREATE MACRO ours(list) AS list_transform(list, lambda pair: [pair[1], pair[1]]);
CREATE MACRO theirs(list) AS list_transform(list, lambda pair: [pair[2], pair[2]]);

-- Measured values beside those that a source prints, in the unit in which it prints them.
CREATE MACRO beside_printed(publication) AS TABLE
    SELECT
        workload, policy, metric, scope, m.called, m.unit, m.value / q.printed_scale AS value,
        q.printed, q.printed_digits AS digits, q.printed_draws AS draws, q.printed_unit, q.place
    FROM printed_values AS q
    JOIN measured('run') AS m USING (workload, policy, metric, scope)
    WHERE q.source = publication;

-- Values of runs under every reading of a study, by the ids that the study uses, and whether the reading ran them again.
CREATE MACRO under_readings(name) AS TABLE
    SELECT
        reading, r.label AS reading_label, r.position, headline, choices, c.workload, c.policy, c.cell_workload,
        (c.cell_workload, c.cell_policy) <> (c.workload, c.policy) AS again, metric, scope, replication AS unit, value
    FROM main.reading_cells AS c
    JOIN main.readings AS r USING (study, reading)
    JOIN main.run_values AS m ON m.workload = cell_workload AND m.policy = cell_policy
    WHERE study = name;
