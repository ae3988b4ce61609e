// Files of the claims shown: CSV, and a LaTeX table in the style of booktabs.
(function () {
  "use strict";
  const PAGE = 25; // rows of a table that fit on a page of print
  const COLUMNS = ["study", "claim", "kind", "headline", "sentence", "citation", "section", "printed", "finding", "expectation",
    "verdict", "tally", "robustness", "readings", "cause", "draws_needed", "fitted", "explanation"];

  const under = (claim) => claim.strip.map((one) => `${one.label}: ${one.verdict}`).join("; ");
  // A spreadsheet takes no text for a formula; reports/draw/drawing.py has the same rule.
  const number = /^[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const harmless = (text) => (/^[=+\-@\t\r]/.test(text) && !number.test(text) ? `'${text}` : text);
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

  function csv(claims, texts) {
    const lines = claims.map((claim) => {
      const row = { ...claim, sentence: texts[claim.sentence], citation: texts[claim.citation], readings: under(claim) };
      return COLUMNS.map((column) => quoted(harmless(String(row[column] ?? "")))).join(",");
    });
    return `${[COLUMNS.join(","), ...lines].join("\n")}\n`;
  }

  const SIGNS = { "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "–": "--", "—": "---", "−": "$-$", "×": "$\\times$", "±": "$\\pm$",
    "≤": "$\\leq$", "≥": "$\\geq$", "∞": "$\\infty$", "≈": "$\\approx$", "…": "\\ldots{}", "“": "``", "”": "''", "’": "'", "·": "$\\cdot$" };
  const escaped = (text) => text.replace(/[\\{}&%$#_~^–—−×±≤≥∞≈…“”’·]/g, (sign) => SIGNS[sign]);

  function upheld(claim) {
    const judged = claim.strip.filter((one) => one.verdict !== "not testable");
    return judged.length ? `${judged.filter((one) => one.verdict === "reproduced").length} of ${judged.length}` : "–";
  }

  function latex(claims, texts) {
    const long = claims.length > PAGE;
    const name = long ? "longtable" : "tabular";
    const head = "Claim & Section & Printed & Found & Verdict & Readings \\\\";
    const rows = claims.map((claim) => [claim.headline, claim.section, claim.printed, claim.brief,
      claim.verdict + (claim.tally ? ` (${claim.tally})` : ""), upheld(claim)].map(escaped).join(" & "));
    const sources = [...new Set(claims.map((claim) => texts[claim.citation]))];
    return [
      "% Made by slotwise. In the preamble: \\usepackage{booktabs,array" + (long ? ",longtable}" : "}"),
      "% Readings: under how many of the readings judged a claim is reproduced.",
      ...sources.map((source) => `% Source: ${source.replace(/\s+/g, " ")}`),
      `\\begin{${name}}{>{\\raggedright}p{.3\\linewidth}>{\\raggedright}p{.12\\linewidth}>{\\raggedright}p{.1\\linewidth}`
        + ">{\\raggedright}p{.2\\linewidth}ll}",
      "\\toprule", head, "\\midrule", ...(long ? ["\\endhead"] : []),
      ...rows.map((row) => `${row} \\\\`),
      "\\bottomrule", `\\end{${name}}`, "",
    ].join("\n");
  }

  function save(text, name, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  Object.assign(window.slotwiseExplorer, { csv, latex, save, upheld });
})();
