// The claims explorer: the reader's choices, the table of claims, and the details of an open claim.
(function () {
  "use strict";
  const { FACETS, read, write, searched, shown, counts, ordering, line, axis, csv, latex, save } = window.slotwiseExplorer;
  const data = window.slotwiseClaims;
  const { claims, texts, words, looks } = data;
  const HEADS = { verdict: "Verdict", cause: "Cause", robustness: "Over the readings", kind: "Kind" };
  const WIDE = 7; // columns of the table
  const FIRST = window.innerWidth < 900 ? 20 : 50; // claims that are drawn before the reader asks for more
  const part = (id) => document.getElementById(id);
  const form = part("filters");
  const table = part("claims");
  const nameOf = (claim) => `${claim.study}/${claim.claim}`;
  for (const claim of claims) {
    claim.searched = searched(claim, texts);
    claim.strip = claim.strip.map(([place, verdict, tally]) => ({ ...data.readings[claim.study][place], verdict, tally }));
  }
  let state = read(location.hash);
  let whole = false; // whether all claims found are drawn

  function made(name, className, ...inside) {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...inside.filter((one) => one !== "" && one !== null));
    return element;
  }

  const square = (verdict) => made("i", `square ${looks[verdict][0]}`, looks[verdict][1]);
  const badge = (verdict) => made("span", "verdict", square(verdict), verdict);

  function link(href, text) {
    const anchor = made("a", "", text);
    anchor.href = href;
    return anchor;
  }

  function strip(claim) {
    if (claim.strip.length < 2) return made("span", "away", "one reading");
    const squares = claim.strip.map((one) => {
      const piece = square(one.verdict);
      piece.classList.toggle("headline", one.headline);
      piece.classList.toggle("second", one.second_headline);
      piece.title = `${one.label}: ${one.verdict}${one.tally ? ` (${one.tally})` : ""}`;
      return piece;
    });
    const whole = made("span", "strip", ...squares);
    whole.setAttribute("role", "img");
    whole.setAttribute("aria-label", squares.map((piece) => piece.title).join("; "));
    return whole;
  }

  function cell(label, className, ...inside) {
    const element = made("td", className, ...inside);
    element.dataset.label = label;
    element.setAttribute("role", "cell");
    return element;
  }

  function row(claim) {
    const opener = made("button", "opener", claim.headline);
    opener.type = "button";
    opener.setAttribute("aria-expanded", "false");
    opener.addEventListener("click", () => choose({ open: state.open === nameOf(claim) ? "" : nameOf(claim) }));
    const facts = [claim.section, claim.kind, claim.fitted ? "something was fitted" : ""].filter(Boolean).join(" · ");
    const head = made("th", "", opener, made("small", "", facts));
    head.scope = "row";
    head.setAttribute("role", "rowheader");
    const verdict = made("div", "judged", square(claim.verdict), made("div", "", claim.verdict, claim.mix ? made("small", "", claim.mix) : "",
      claim.data_needed ? made("small", "", `needs ${claim.data_needed} times the data`) : "",
      ...claim.seconds.map((one) => made("small", "", `${one.label}: ${one.verdict}${one.tally ? `, ${one.tally}` : ""}`))));
    const line1 = made("tr", "", head, cell("Printed", "", made("div", "short", claim.printed || "not printed")), cell("Found", "", claim.brief),
      cell("", "on-line", line(claim, (verdict) => looks[verdict][0])), cell("Verdict", "", verdict), cell("Readings", "", strip(claim)),
      cell("Cause", "", claim.cause || "–"));
    line1.setAttribute("role", "row");
    const body = made("tbody", "claim-row", line1);
    body.dataset.claim = nameOf(claim);
    body.setAttribute("role", "rowgroup");
    return body;
  }

  function list(pairs) {
    const element = made("dl", "");
    for (const [term, inside] of pairs) if (inside) element.append(made("dt", "", term), made("dd", "", inside));
    return element;
  }

  function evidence(claim) {
    const body = made("tbody", "", ...claim.evidence.map((one) => {
      const needs = one.data_needed ? ` (needs ${one.data_needed} times the data)` : "";
      const head = made("th", "", one.label);
      head.scope = "row";
      const cells = [one.printed || "–", one.value, one.interval].map((text) => made("td", "number", text));
      return made("tr", "", head, ...cells, made("td", "", badge(one.verdict), needs));
    }));
    const heads = ["Row", "Printed", claim.unit_words ? `Found (${claim.unit_words})` : "Found", "Interval that decides", "Verdict"].map((text, place) => {
      const head = made("th", place > 0 && place < 4 ? "number" : "", text);
      head.scope = "col";
      return head;
    });
    const whole = made("div", "scroll", made("table", "", made("thead", "", made("tr", "", ...heads)), body));
    whole.tabIndex = 0;
    whole.setAttribute("role", "region");
    whole.setAttribute("aria-label", `Rows of the claim: ${claim.headline}`);
    return whole;
  }

  // List the headline with the readings that agree in one line, then each other reading with what it follows.
  function followed(claim) {
    const [headline] = claim.strip.filter((one) => one.headline);
    const told = (one) => made("li", "", badge(one.verdict), ` ${one.label}${one.tally ? `, ${one.tally}` : ""}`, made("small", "", one.follows));
    const others = claim.strip.filter((one) => one.verdict !== claim.verdict);
    const alike = claim.strip.filter((one) => one.verdict === claim.verdict && one !== headline);
    const same = made("li", "", badge(claim.verdict), ` ${headline.label} (headline)`,
      alike.length ? ` and ${alike.length} more: ${alike.map((one) => one.label).join("; ")}` : "", made("small", "", headline.follows));
    return made("ul", "readings", same, ...others.map(told));
  }

  // Make the details below a claim when it is opened.
  function detail(claim) {
    const places = [link(claim.href, "The claim on the page of its study")];
    if (claim.strip.length > 1) places.push(" · ", link(`study-${claim.study}.html#readings`, "all readings"));
    if (claim.figure) places.push(" · ", link(claim.figure, "the figure that shows it"));
    const cause = claim.cause ? `${claim.cause}: ${words.cause[claim.cause]}` : "";
    const inside = made("div", "detail",
      made("blockquote", "", texts[claim.sentence], made("cite", "", texts[claim.citation] + (claim.section ? `, ${claim.section}` : ""))),
      list([
        ["Printed", claim.printed], ["Found", claim.finding], ...claim.seconds.map((one) => [one.label, one.finding]), ["Counts as reproduced when", claim.expectation], ["Over the readings", claim.robust],
        ["Cause", cause], ["Explanation", claim.explanation], ["Fitted", claim.fitted],
        ["Would take", claim.data_words],
      ]),
      claim.strip.length > 1 ? followed(claim) : "", claim.evidence.length ? evidence(claim) : "", made("p", "", ...places));
    const whole = made("td", "", inside);
    whole.colSpan = WIDE;
    const line2 = made("tr", "opened", whole);
    return line2;
  }

  const bodies = new Map(claims.map((claim) => [claim, row(claim)]));

  function group(name, members) {
    const verdicts = Object.keys(words.verdict).map((verdict) => [verdict, members.filter((one) => one.verdict === verdict).length]);
    const told = verdicts.filter(([, many]) => many).map(([verdict, many]) => `${many} ${verdict}`).join(", ");
    const head = made("th", "", name, made("small", "", ` ${told}`));
    head.colSpan = WIDE;
    head.scope = "rowgroup";
    return made("tbody", "group", made("tr", "", head));
  }

  function drawFacets() {
    const focused = document.activeElement && document.activeElement.dataset.value;
    part("facets").replaceChildren(...FACETS.map((facet) => {
      const buttons = counts(claims, state, facet, words).filter(([value, many]) => many || state[facet].includes(value))
        .map(([value, many]) => {
          const button = made("button", "facet", facet === "verdict" ? square(value) : "", ` ${value} `, made("b", "", String(many)));
          button.type = "button";
          button.title = words[facet][value];
          button.dataset.value = `${facet}:${value}`;
          button.setAttribute("aria-pressed", String(state[facet].includes(value)));
          button.addEventListener("click", () => choose({ [facet]: state[facet].includes(value)
            ? state[facet].filter((one) => one !== value) : [...state[facet], value] }));
          return button;
        });
      return buttons.length ? made("fieldset", "", made("legend", "", HEADS[facet]), made("div", "", ...buttons)) : "";
    }).filter(Boolean));
    if (focused) part("facets").querySelector(`[data-value="${focused}"]`)?.focus();
  }

  function drawTable() {
    const found = shown(claims, state, words);
    const opened = found.findIndex((claim) => nameOf(claim) === state.open);
    const first = new Set(found.slice(0, whole ? found.length : Math.max(FIRST, opened + 1)));
    const headOf = ordering(state.order, words)[1];
    const heads = [...new Set(found.map(headOf))];
    const parts = heads.flatMap((name) => {
      const members = found.filter((claim) => headOf(claim) === name);
      const drawn = members.filter((claim) => first.has(claim));
      return drawn.length ? [...(name ? [group(name, members)] : []), ...drawn.map((claim) => bodies.get(claim))] : [];
    });
    for (const old of table.querySelectorAll("tbody")) old.remove();
    table.append(...parts);
    part("more").hidden = found.length <= first.size;
    part("more").textContent = `Show the other ${found.length - first.size}`;
    const counted = found.filter((claim) => data.counted.includes(claim.kind));
    const held = counted.filter((claim) => claim.verdict === "reproduced").length;
    part("found").textContent = `${found.length} of ${claims.length} claims`
      + (counted.length ? `; ${held} of the ${counted.length} on ${data.counted.slice(0, -1).join(", ")} or ${data.counted.at(-1)} reproduced` : "");
  }

  function drawOpen() {
    for (const [claim, body] of bodies) {
      const open = state.open === nameOf(claim);
      if (open === body.classList.contains("open")) continue;
      body.classList.toggle("open", open);
      body.querySelector(".opener").setAttribute("aria-expanded", String(open));
      if (open) body.append(detail(claim));
      else body.querySelector(".opened").remove();
    }
  }

  function drawForm() {
    for (const name of ["study", "words", "order"]) if (form.elements[name].value !== state[name]) form.elements[name].value = state[name];
    form.elements.fitted.checked = Boolean(state.fitted);
    part("clear").hidden = write({ ...state, open: "", order: "" }) === "#";
  }

  function choose(changes) {
    if (!("open" in changes)) whole = false;
    state = { ...state, ...changes };
    history.replaceState(null, "", write(state));
    drawForm();
    if (!("open" in changes) || Object.keys(changes).length > 1) { drawFacets(); drawTable(); }
    drawOpen();
  }

  function follow() {
    choose(read(location.hash));
    const open = [...bodies.values()].find((body) => body.dataset.claim === state.open);
    if (open && open.isConnected) open.scrollIntoView({ block: "center" });
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.elements.words.addEventListener("input", () => choose({ words: form.elements.words.value }));
  for (const name of ["study", "order"]) form.elements[name].addEventListener("change", () => choose({ [name]: form.elements[name].value }));
  form.elements.fitted.addEventListener("change", () => choose({ fitted: form.elements.fitted.checked ? "1" : "" }));
  part("clear").addEventListener("click", () => { choose({ ...read(""), order: state.order, open: state.open }); form.elements.words.focus(); });
  const named = (ending) => `claims${state.study ? `_${state.study}` : ""}.${ending}`;
  part("csv").addEventListener("click", () => save(csv(shown(claims, state, words), texts), named("csv"), "text/csv"));
  part("latex").addEventListener("click", () => save(latex(shown(claims, state, words), texts), named("tex"), "application/x-tex"));
  const drawAll = () => { whole = true; drawTable(); };
  part("more").addEventListener("click", () => {
    const next = table.querySelectorAll(".opener").length;
    drawAll();
    table.querySelectorAll(".opener")[next].focus();
  });
  window.addEventListener("beforeprint", drawAll);
  // arrows walk from claim to claim, Escape closes the open one
  table.addEventListener("keydown", (event) => {
    const openers = [...table.querySelectorAll(".opener")];
    const here = openers.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && here >= 0 && openers[here + step]) { event.preventDefault(); openers[here + step].focus(); }
    if (event.key === "Escape" && state.open) {
      const body = [...bodies.values()].find((one) => one.dataset.claim === state.open);
      choose({ open: "" });
      body?.querySelector(".opener").focus();
    }
  });
  part("axis").append(axis());
  // on a phone, filters are folded unless the address names some
  part("facet-fold").open = !window.matchMedia("(max-width: 900px)").matches || FACETS.some((facet) => state[facet].length);
  window.addEventListener("hashchange", follow);
  follow();
})();
