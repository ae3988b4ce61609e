// The claims shown and their order: the reader's choices, kept in the address so that a view can be shared.
(function () {
  "use strict";
  const FACETS = ["verdict", "cause", "robustness", "kind"]; // several values of one may be chosen
  const PLAIN = ["study", "words", "order", "fitted", "open"];
  const NONE = "none";

  // `#study=baseline&verdict=not reproduced,cannot tell` and back.
  function read(hash) {
    const given = new URLSearchParams(hash.replace(/^#/, ""));
    const state = Object.fromEntries(PLAIN.map((key) => [key, given.get(key) || ""]));
    for (const key of FACETS) state[key] = (given.get(key) || "").split(",").filter(Boolean);
    return state;
  }

  function write(state) {
    const given = new URLSearchParams();
    for (const key of PLAIN) if (state[key]) given.set(key, state[key]);
    for (const key of FACETS) if (state[key].length) given.set(key, state[key].join(","));
    return `#${given.toString().replace(/%2C/g, ",").replace(/%2F/g, "/")}`;
  }

  const valueOf = (claim, facet) => claim[facet] || NONE;
  const folded = (text) => text.toLowerCase().normalize("NFKD");

  function searched(claim, texts) {
    const own = [claim.headline, claim.claim, texts[claim.sentence], texts[claim.citation], claim.section, claim.printed,
      claim.finding, claim.explanation, claim.fitted, claim.title, ...claim.evidence.map((row) => row.label)];
    return folded(own.join(" "));
  }

  function matches(claim, state, besides) {
    if (state.study && claim.study !== state.study) return false;
    if (state.fitted && !claim.fitted) return false;
    if (FACETS.some((key) => key !== besides && state[key].length && !state[key].includes(valueOf(claim, key)))) return false;
    return folded(state.words).split(/\s+/).every((word) => claim.searched.includes(word));
  }

  const distance = (claim) => (claim.line === "bound" || claim.line === "" ? -1
    : Math.max(...claim.evidence.map((row) => (row.at[0] === null ? -1 : Math.abs(row.at[0] - 1)))));

  // Return the key by which claims are sorted, and the heading of a claim's group; equal claims keep the order of their sources.
  function ordering(order, words) {
    const place = (facet) => (claim) => Object.keys(words[facet]).concat(NONE).indexOf(valueOf(claim, facet));
    const keys = {
      verdict: [place("verdict"), (claim) => claim.verdict],
      cause: [place("cause"), (claim) => claim.cause || "no cause: reproduced, or not testable"],
      distance: [(claim) => -distance(claim), () => ""],
      headline: [(claim) => claim.headline, () => ""],
    };
    return keys[order] || [() => 0, (claim) => claim.title];
  }

  function shown(claims, state, words) {
    const [key] = ordering(state.order, words);
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    return claims.filter((claim) => matches(claim, state)).sort((a, b) => compare(key(a), key(b)));
  }

  // Return how many claims each value of a facet would leave, other choices unchanged.
  function counts(claims, state, facet, words) {
    const left = claims.filter((claim) => matches(claim, state, facet));
    const values = Object.keys(words[facet]);
    return values.map((value) => [value, left.filter((claim) => valueOf(claim, facet) === value).length]);
  }

  window.slotwiseExplorer = { FACETS, read, write, searched, shown, counts, ordering };
})();
