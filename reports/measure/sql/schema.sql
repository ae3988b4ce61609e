-- The store holds what a run of the pipeline found; it is rebuilt from the parquet files each time. Tables hold times as
-- int64 microseconds (_us); views and derived values are in seconds (_s).

CREATE TABLE studies (
    study VARCHAR PRIMARY KEY, -- name of its folder
    title VARCHAR,
    question VARCHAR,          -- what the study asks, one sentence
    versus VARCHAR,            -- policy that the others are compared with, or null
    figures VARCHAR[],         -- general figures it lists; null: all that apply
    pictured VARCHAR[],        -- policies whose schedules are drawn first
    page VARCHAR,              -- JSON: the top of its page (workflow/study_page.py)
    position INTEGER           -- place among the studies of the configuration
);

CREATE TABLE families ( -- families of schedulers, from their declarations (scheduler_core/<family>/family.py)
    family VARCHAR PRIMARY KEY,
    label VARCHAR,
    wait VARCHAR,              -- 'to_first_start' or 'response_less_runtime'
    sharing VARCHAR,           -- how jobs share a processor: 'none', 'slots' (they take turns), 'jobs' (several at once)
    metrics VARCHAR[],         -- metrics that are defined for its runs
    leading_metrics VARCHAR[], -- metrics that tables show first
    unchecked VARCHAR[]        -- properties of its schedules that the checker does not prove
);

CREATE TABLE workloads (
    workload VARCHAR PRIMARY KEY, -- id, as in paths
    label VARCHAR,                -- name in figures and tables
    kind VARCHAR,                 -- 'log' or 'model'
    unit_kind VARCHAR GENERATED ALWAYS AS (if(kind = 'log', 'batch', 'replication')), -- kind of its independent units
    source VARCHAR,               -- catalogue name of the log, or name of the model
    machine VARCHAR,
    processors INTEGER,
    replications INTEGER,
    jobs BIGINT,                  -- in all replications
    offered_load DOUBLE,          -- submitted work / capacity between first and last submission; mean over replications
    target_load DOUBLE,           -- load that the study asks for, or null
    variant_of VARCHAR,           -- workload with the same jobs and other estimates, or null
    variant VARCHAR,              -- how it differs from that workload
    missing BOOLEAN,              -- whether the log is missing; the workload then has no jobs
    provenance VARCHAR,           -- JSON, a list with an entry per replication
    drawn BOOLEAN                 -- whether the log is one that slotwise drew; no claim and no answer counts it
);

CREATE TABLE clusters ( -- the clusters of each workload's machine
    workload VARCHAR,
    cluster SMALLINT,             -- from 0
    name VARCHAR,                 -- name in the study; its number from 1 where the study gives none
    processors INTEGER,
    speed DOUBLE                  -- run times are given at speed 1
);

CREATE TABLE accounting ( -- every line of a log, by its fate
    workload VARCHAR,
    fate VARCHAR,  -- 'comment', 'kept', 'repaired', 'rejected'
    rule VARCHAR,  -- rule that decided; '' for comment and kept
    lines BIGINT
);

CREATE TABLE policies (
    policy VARCHAR PRIMARY KEY, -- id in studies and paths
    label VARCHAR,
    name VARCHAR,               -- policy class it uses
    family VARCHAR,
    parameters VARCHAR,         -- JSON
    measures VARCHAR[],         -- further measurements of its runs: 'packing', 'memory', 'groups'
    source VARCHAR,
    colour VARCHAR,             -- '#rrggbb' from a study, or null
    position INTEGER            -- place among the policies of all studies
);

CREATE TABLE cells ( -- the runs that each study shows
    study VARCHAR, workload VARCHAR, policy VARCHAR,
    position INTEGER            -- place among the runs of the study
);

CREATE TABLE runs (
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    jobs BIGINT, finished BIGINT, killed BIGINT, rejected BIGINT,
    unfinished BIGINT,          -- jobs that had not ended when the run did
    workload_digest VARCHAR, schedule_digest VARCHAR,
    counters VARCHAR,           -- JSON
    kernel_s DOUBLE, wall_s DOUBLE, -- seconds of the kernel and of the whole simulation; no part of the result
    optimiser_s DOUBLE          -- part of wall_s in which groups were ordered; null where there are none
);

CREATE TABLE jobs (
    workload VARCHAR, policy VARCHAR, replication SMALLINT,
    job BIGINT, submit_us BIGINT, runtime_us BIGINT, estimate_us BIGINT, size INTEGER,
    start_us BIGINT, finish_us BIGINT, processors INTEGER, preemptions INTEGER,
    outcome VARCHAR,            -- 'finished', 'killed', 'rejected', 'unfinished'
    wait_us BIGINT,             -- as the policy's family defines it (families.wait); null for jobs that did not end
    batch SMALLINT,             -- number of the job's batch of consecutive submissions (logs), else 0
    class VARCHAR,              -- 'short', 'medium', 'long' as the model or the study states it, else null
    flexibility VARCHAR,        -- 'rigid', 'moldable', 'malleable', else null
    cluster SMALLINT            -- cluster it ran on, from 0; 0 on a machine of one
);

CREATE VIEW job_times AS -- jobs that ran to their end or estimate, with times in seconds
SELECT
    *,
    wait_us / 1e6 AS wait_s,
    (start_us - submit_us) / 1e6 AS time_to_start_s,
    (finish_us - submit_us) / 1e6 AS response_s,
    least(runtime_us, estimate_us) / 1e6 AS run_s,
    (finish_us - submit_us) / least(runtime_us, estimate_us) AS slowdown,
    greatest(1, (finish_us - submit_us) / greatest(least(runtime_us, estimate_us), 10e6)) AS bounded_slowdown_10,
    greatest(1, (finish_us - submit_us) / greatest(least(runtime_us, estimate_us), 60e6)) AS bounded_slowdown_60,
    greatest(1, (finish_us - submit_us) / greatest(least(runtime_us, estimate_us), 600e6)) AS bounded_slowdown_600
FROM jobs
WHERE finish_us IS NOT NULL;

CREATE TABLE users ( -- who submitted a job, for logs that record it
    workload VARCHAR, replication SMALLINT, job BIGINT,
    user_number INTEGER
);

CREATE TABLE recorded_starts ( -- starts in the schedule that a log records, where a simulator made it
    workload VARCHAR, replication SMALLINT, job BIGINT,
    start_us BIGINT
);

CREATE TABLE busy_sums ( -- busy processor time of runs whose family counts it, because sizes or speeds change
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    busy_us HUGEINT,
    length_us BIGINT            -- length of the time it is over; null for the makespan
);

CREATE TABLE printed_values ( -- numbers that sources print, by the ids of the studies that reproduce them
    source VARCHAR,             -- the publication
    place VARCHAR,              -- its figure or table, and the page
    workload VARCHAR, policy VARCHAR, metric VARCHAR, scope VARCHAR,
    value DOUBLE,               -- in the unit the metric has in this store
    printed DOUBLE,             -- the number as printed
    printed_digits INTEGER,     -- its decimals
    printed_unit VARCHAR,       -- unit as printed: 'h', 'min', 's', '%' or ''
    printed_scale DOUBLE,       -- value / printed
    printed_draws INTEGER       -- number of the source's draws of which it is the mean
);

CREATE TABLE certificates (
    workload VARCHAR, policy VARCHAR, replication INTEGER,
    rule VARCHAR, checked BIGINT, violations BIGINT
);

CREATE TABLE metric_catalogue ( -- what is known of every metric (reports/measure/catalogue.py)
    metric VARCHAR PRIMARY KEY,
    label VARCHAR,              -- what figures and tables call it
    stored_in VARCHAR,          -- unit of the values in this store; '' for ratios, shares and counts
    unit VARCHAR,               -- unit that people read
    divisor DOUBLE,             -- stored value / value that people read
    better VARCHAR,             -- 'low', 'high' or 'neither'
    least DOUBLE, most DOUBLE,  -- natural range; null where it is open
    of_ended_jobs BOOLEAN,      -- whether it is measured of the jobs that ended
    families VARCHAR[]          -- families that declare it
);

CREATE TABLE measurements ( -- one value of one metric for one unit; metric_catalogue says what the metric is
    workload VARCHAR, policy VARCHAR,
    unit_kind VARCHAR,          -- 'replication', or 'batch' of consecutive submissions of a log
    unit INTEGER,               -- number of the replication or batch, from 0
    metric VARCHAR,
    scope VARCHAR,              -- 'all', or the part measured: a class of jobs ('long narrow'), a cluster ('cluster 0')
    value DOUBLE
);

CREATE TABLE intervals ( -- mean and 95 % confidence interval of a metric over independent units
    workload VARCHAR, policy VARCHAR, metric VARCHAR, scope VARCHAR,
    value DOUBLE, low DOUBLE, high DOUBLE, unit VARCHAR,
    units INTEGER,              -- number of replications or batches
    lag1 DOUBLE,                -- autocorrelation of neighbouring batches; null for replications
    method VARCHAR
);

-- Paired comparisons on the same jobs: (workload, policy) against (versus_workload, versus_policy). Times of jobs are compared
-- on units in which both ended all jobs. Utilisation is compared where both cover the same kind of time span.
CREATE TABLE comparisons (
    workload VARCHAR, policy VARCHAR, versus_workload VARCHAR, versus_policy VARCHAR, metric VARCHAR, scope VARCHAR,
    value DOUBLE, versus_value DOUBLE,
    difference DOUBLE, difference_low DOUBLE, difference_high DOUBLE,
    ratio DOUBLE, ratio_low DOUBLE, ratio_high DOUBLE, -- value / versus_value
    units INTEGER, method VARCHAR
);

CREATE TABLE series ( -- utilisation and queue over time, in bins of bin_s seconds; replication 0
    workload VARCHAR, policy VARCHAR,
    bin_start_s DOUBLE, bin_s DOUBLE,
    utilisation DOUBLE,         -- busy processors / processors, mean over the bin; null where jobs share processors
    queued_jobs DOUBLE,         -- jobs waiting, mean over the bin
    queued_processors DOUBLE    -- processors they ask for, mean over the bin
);

CREATE TABLE claims ( -- statements of publications, judged under the headline reading
    study VARCHAR, claim VARCHAR,
    position INTEGER,           -- place among the claims of the study
    kind VARCHAR,               -- 'identity', 'workload', 'direction', 'magnitude', 'mechanism', 'expectation'
    headline VARCHAR,           -- the claim in a few words of ours
    sentence VARCHAR, citation VARCHAR, section VARCHAR,
    printed VARCHAR,            -- what the source prints, as text; may be ''
    unit VARCHAR,               -- of the values, '' for ratios and counts
    unit_words VARCHAR,         -- the unit with what the values count, as '% less'
    measure VARCHAR,            -- file of the query, without its folder
    finding VARCHAR,            -- what was measured, in words and numbers
    expectation VARCHAR,        -- when a row counts as reproduced, in words
    verdict VARCHAR,            -- 'reproduced', 'reproduced in part', 'not reproduced', 'cannot tell', 'not testable'
    rows INTEGER,               -- rows it rests on, those that are missing included
    reproduced INTEGER, refuted INTEGER, undecided INTEGER, untestable INTEGER, -- of the rows
    draws_needed INTEGER,       -- units it would take to decide the undecided rows, were spreads to stay; null: none would do
    robustness VARCHAR,         -- 'robust', 'depends on the reading', 'never'; '' where fewer than two readings decide
    decided_by VARCHAR[],       -- the choices that a verdict depends on
    cause VARCHAR,              -- why it is not, or not fully, reproduced: 'too few data', 'depends on the reading', 'reversed',
                                -- 'effect absent', 'size differs', 'lost input', 'definition unclear',
                                -- 'source contradicts itself'; else ''
    explanation VARCHAR,        -- written by people, for verdicts that need one; may be ''
    fitted VARCHAR,             -- what was chosen to agree with the source, so that agreement proves nothing; or ''
    figure VARCHAR,             -- figure of the study that shows it, or null
    no_effect DOUBLE,           -- the value that means no effect, or null
    bound DOUBLE,               -- the number that values are held against, or null where it is none, two, or the rows' own
    interval_kind VARCHAR       -- the interval that decides: 'confidence', 'prediction', 'equivalence', or '' for exact values
);

CREATE TABLE sentences ( -- the testable sentences of sources
    study VARCHAR,
    position INTEGER,           -- place among the sentences of the study
    source VARCHAR,             -- the source, as claims cite it
    section VARCHAR, sentence VARCHAR,
    paraphrased BOOLEAN,        -- the words are not the source's
    claims VARCHAR[],           -- ids of the claims that test it
    reason VARCHAR,             -- why no claim can test it, or what is left untested; may be ''
    needs VARCHAR               -- what a claim needs that does not exist yet; may be ''
);

CREATE TABLE claim_readings ( -- the verdict on a claim under each reading
    study VARCHAR, claim VARCHAR, reading VARCHAR, verdict VARCHAR,
    rows INTEGER, reproduced INTEGER, refuted INTEGER, undecided INTEGER, untestable INTEGER,
    value DOUBLE, low DOUBLE, high DOUBLE, -- of its first row that has a value
    finding VARCHAR             -- what was measured under this reading, in words and numbers
);

CREATE TABLE claim_evidence ( -- the rows that verdicts rest on
    study VARCHAR, claim VARCHAR, reading VARCHAR,
    position INTEGER,           -- place among the rows of the claim
    label VARCHAR,
    value DOUBLE, low DOUBLE, high DOUBLE, -- with the interval that decides: of confidence, prediction or equivalence
    printed DOUBLE,             -- the source's number, where the row is about one
    verdict VARCHAR,            -- as of a claim, never in part; '' for a sensitivity
    units INTEGER,              -- independent units behind the value: draws of a model, or parts of a log; 0 for an exact value
    draws_needed INTEGER,
    detectable DOUBLE,          -- smallest difference from a printed number that would not pass, or null
    role VARCHAR                -- 'evidence' or 'sensitivity', on which no verdict rests
);

CREATE TABLE answers ( -- the answers of a study: sentences and numbers, measured like claims
    study VARCHAR,
    position INTEGER,           -- place among those of its part
    part VARCHAR,               -- 'sentence', 'number', 'hero' (title of the first figure)
    text VARCHAR,
    value DOUBLE, low DOUBLE, high DOUBLE,
    unit VARCHAR,
    label VARCHAR,              -- of a number: what it is; of the hero: its figure
    verdict VARCHAR,            -- of what the sentence rests on; '' for a number
    claim VARCHAR,              -- the claim it rests on, or null
    reading VARCHAR             -- the headline, or a second headline
);

CREATE TABLE readings ( -- interpretations of a source, where it is ambiguous
    study VARCHAR, reading VARCHAR,
    label VARCHAR, follows VARCHAR,
    choices VARCHAR,            -- JSON: its choice for each open question
    headline BOOLEAN,           -- whether figures and tables show it
    second_headline BOOLEAN,    -- whether pages and counts show its verdicts and answers beside the headline's
    position INTEGER,           -- place among the readings of the study
    draws INTEGER               -- number of first draws that its own cells have; null for all
);

CREATE TABLE reading_cells ( -- the cell that represents a workload and a policy of a study under a reading
    study VARCHAR, reading VARCHAR, workload VARCHAR, policy VARCHAR, cell_workload VARCHAR, cell_policy VARCHAR
);

CREATE TABLE reading_workloads ( -- the same for tables of workloads alone
    study VARCHAR, reading VARCHAR, workload VARCHAR, cell_workload VARCHAR
);

CREATE TABLE reading_policies ( -- the same for tables of policies alone
    study VARCHAR, reading VARCHAR, policy VARCHAR, cell_policy VARCHAR
);

CREATE VIEW stand_ins AS -- workloads that only readings use; no page shows them
SELECT DISTINCT cell_workload AS workload FROM reading_cells WHERE cell_workload NOT IN (SELECT workload FROM reading_cells);

CREATE VIEW meaningful AS -- the metrics that are defined for the runs of a policy, from its family's declaration
SELECT policy, unnest(metrics) AS metric FROM policies JOIN families USING (family);

CREATE VIEW independent_measurements AS -- measurements of independent units: replications of models, batches of logs
FROM measurements SEMI JOIN workloads USING (workload, unit_kind);

CREATE VIEW run_values AS -- measurements of whole runs: one per replication, logs included
SELECT workload, policy, unit AS replication, metric, scope, value FROM measurements WHERE unit_kind = 'replication';

CREATE VIEW run_ratios AS -- ratios of every policy to every other in each replication, logs included
SELECT
    workload, workloads.label AS workload_label, workloads.kind, metric, scope, replication,
    a.policy, b.policy AS versus_policy, a.value / b.value AS ratio
FROM run_values AS a
JOIN run_values AS b USING (workload, replication, metric, scope)
JOIN workloads USING (workload)
WHERE a.policy <> b.policy;

CREATE VIEW run_means AS -- means over replications, with their intervals; a log run once has none
SELECT once.*, low, high, units
FROM (SELECT workload, policy, metric, scope, avg(value) AS value FROM run_values GROUP BY ALL) AS once
LEFT JOIN intervals USING (workload, policy, metric, scope);
