// Tables of many rows, which are read when their fold is opened and show one group at a time.
(function () {
  "use strict";

  function fill(table, { columns, groups }, name) {
    const line = (cells, kind) => {
      const row = document.createElement("tr");
      cells.forEach((text, i) => {
        const cell = row.appendChild(document.createElement(kind === "head" || i === 0 ? "th" : "td"));
        cell.textContent = text;
        if (columns[i].number) cell.className = "number";
        if (kind === "head") cell.scope = "col";
        else if (i === 0) cell.scope = "row";
      });
      return row;
    };
    table.tHead.replaceChildren(line(columns.map((column) => column.title), "head"));
    table.tBodies[0].replaceChildren(...groups[name].map((cells) => line(cells, "body")));
  }

  async function open(place) {
    const told = place.querySelector(".hint");
    const choice = place.querySelector("select");
    if (choice.options.length) return;
    try {
      const data = await window.slotwiseFiles.fetch(place.dataset.file);
      choice.replaceChildren(...Object.keys(data.groups).map((name) => new Option(name)));
      const show = () => fill(place.querySelector("table"), data, choice.value);
      choice.addEventListener("change", show);
      told.hidden = true;
      show();
    } catch (error) {
      if (error.message !== place.dataset.file) throw error;
      told.textContent = `The rows are missing: ${place.dataset.file} should stand beside this page.`;
    }
  }

  for (const place of document.querySelectorAll("details[data-file]")) {
    place.addEventListener("toggle", () => { if (place.open) open(place); });
  }
})();
