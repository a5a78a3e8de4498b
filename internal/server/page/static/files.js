// @ts-check
// Sends files that somebody chose or dropped, with progress, until it is done or stopped.

/** @typedef {{file: File, path: string}} Chosen */

const maxFiles = 19000; // the server takes some more parts

/** What was chosen in the field of a browser. @param {HTMLInputElement} input @returns {Chosen[]} */
export function chosen(input) {
  return [...(input.files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/** What was dropped, directories with all that is below. @param {DataTransfer} data @returns {Promise<Chosen[]>} */
export async function dropped(data) {
  const files = [...data.files].map((file) => ({ file, path: file.name })); // they are gone after a wait
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((e) => e !== null);
  /** @type {Chosen[]} */
  const all = [];
  for (const entry of entries) await walk(/** @type {any} */ (entry), "", all);
  return entries.length > 0 ? all : files;
}

/** @param {any} entry @param {string} above @param {Chosen[]} all */
async function walk(entry, above, all) {
  if (all.length > maxFiles) throw new Error(`there are more than ${maxFiles} files`);
  if (entry.isFile) {
    all.push({ file: await new Promise((yes, no) => entry.file(yes, no)), path: above + entry.name });
    return;
  }
  const reader = entry.createReader();
  for (;;) { // it gives some at a time
    const some = await new Promise((yes, no) => reader.readEntries(yes, no));
    if (some.length === 0) return;
    for (const one of some) await walk(one, above + entry.name + "/", all);
  }
}

/** Makes an element take what is dropped on it. @param {HTMLElement} on @param {(target: HTMLElement, data: DataTransfer) => void} take */
export function takeDrops(on, take) {
  const box = (/** @type {DragEvent} */ e) => /** @type {HTMLElement | null} */ (/** @type {Element} */ (e.target).closest(".drop"));
  for (const name of ["dragover", "dragleave", "drop"]) {
    on.addEventListener(name, (event) => {
      const e = /** @type {DragEvent} */ (event), at = box(e);
      if (!at || !e.dataTransfer?.types.includes("Files")) return;
      e.preventDefault();
      at.classList.toggle("over", name === "dragover");
      if (name === "drop") take(at, e.dataTransfer);
    });
  }
}

/** @param {number} n */
export function size(n) {
  const units = ["B", "kB", "MB", "GB"];
  let i = 0;
  while (n >= 999.5 && i < units.length - 1) { n /= 1000; i++; }
  return `${i === 0 || n >= 99.5 ? n.toFixed(0) : n.toPrecision(3)} ${units[i]}`;
}

/**
 * Sends a form, whose first part is the token. The answer is a text; an error says why there is none.
 * @param {string} address @param {FormData} body @param {HTMLElement | null} box of the progress @returns {Promise<string>}
 */
export function send(address, body, box) {
  const bar = box?.querySelector("progress"), words = box?.querySelector("[role=status]"), stop = box?.querySelector("button");
  const request = new XMLHttpRequest(); // fetch tells no progress of what it sends
  if (box) box.hidden = false;
  if (stop) stop.onclick = () => request.abort();
  return new Promise((yes, no) => {
    request.upload.onprogress = (e) => {
      if (bar) bar.value = e.total ? e.loaded / e.total : 0;
      if (words) words.textContent = `${size(e.loaded)} of ${size(e.total)}`;
    };
    request.onload = () => request.status < 300 ? yes(request.responseText) : no(new Error(request.responseText.trim() || `the server answered ${request.status}`));
    request.onerror = () => no(new Error("the connection broke; choose it again"));
    request.onabort = () => no(new Error("stopped"));
    request.open("POST", address);
    request.send(body);
  }).then((text) => String(text)).finally(() => { if (box) box.hidden = true; });
}
