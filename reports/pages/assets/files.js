// Data that a page fetches when its reader asks for them. Each file is a script that hands its data over, because a page opened
// from a folder may load scripts but not read files.
window.slotwiseFiles = (function () {
  "use strict";
  const [given, asked] = [new Map(), new Map()];

  // Called by the script of a file.
  function take(file, data) { given.set(file, data); }

  function load(file) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = file;
      script.addEventListener("load", () => (given.has(file) ? resolve(given.get(file)) : reject(new Error(file))));
      script.addEventListener("error", () => { asked.delete(file); reject(new Error(file)); });
      document.head.append(script);
    });
  }

  function fetch(file) {
    if (!asked.has(file)) asked.set(file, load(file));
    return asked.get(file);
  }

  return { take, fetch };
})();
