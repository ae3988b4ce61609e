-- The effect that a study's curve draws, under every reading that measured it, the least first.
SELECT
    readings.label AS reading_label, readings.headline, readings.choices, coalesce(readings.draws::VARCHAR, 'all') AS draws,
    under.verdict, under.value, under.low, under.high, claims.headline AS claim_headline, claims.unit, claims.no_effect,
    claims.printed AS printed_text,
    (
        SELECT arg_min(printed, position) FROM claim_evidence AS e
        WHERE e.study = claims.study AND e.claim = claims.claim AND e.role = 'evidence'
    ) AS printed
FROM claims
JOIN studies ON claims.study = studies.study AND claims.claim = studies.page ->> 'curve'
JOIN claim_readings AS under ON under.study = claims.study AND under.claim = claims.claim
JOIN readings ON readings.study = under.study AND readings.reading = under.reading
WHERE claims.study = (SELECT any_value(study) FROM shown) AND under.value IS NOT NULL
ORDER BY under.value, readings.position
