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
  const units = ["B", "KiB", "MiB", "GiB"];
  let i = 0;
  while (n >= 1023.5 && i < units.length - 1) { n /= 1024; i++; }
  return `${i === 0 || n >= 99.5 ? n.toFixed(0) : n.toPrecision(3)} ${units[i]}`;
}

/**
 * Makes a request; fetch tells no progress of what it sends. The status is 0 if the connection broke.
 * @param {string} method @param {string} address @param {XMLHttpRequestBodyInit | null} body
 * @param {{token?: string, progress?: (sent: number, whole: number) => void, signal?: AbortSignal}} [how]
 * @returns {Promise<{status: number, text: string}>}
 */
export function ask(method, address, body, how = {}) {
  const request = new XMLHttpRequest();
  return new Promise((yes, no) => {
    const stop = () => request.abort();
    request.upload.onprogress = (e) => how.progress?.(e.loaded, e.total);
    request.onloadend = () => { how.signal?.removeEventListener("abort", stop); yes({ status: request.status, text: request.responseText.trim() }); };
    request.onabort = () => no(new Error("stopped"));
    request.open(method, address);
    if (how.token) request.setRequestHeader("Glovebox-Form-Token", how.token);
    how.signal?.addEventListener("abort", stop);
    how.signal?.throwIfAborted();
    request.send(body);
  });
}

/** @param {{status: number, text: string}} answer */
export function refusal(answer) {
  return new Error(answer.status === 0 ? "the connection broke; choose it again" : answer.text || `the server answered ${answer.status}`);
}

/** Shows a box of progress, with a button that stops. @param {HTMLElement | null} box */
export function progressIn(box) {
  const bar = box?.querySelector("progress"), words = box?.querySelector("[role=status]"), button = box?.querySelector("button");
  const stop = new AbortController();
  if (box) box.hidden = false;
  if (button) button.onclick = () => stop.abort(new Error("stopped"));
  return {
    signal: stop.signal,
    /** @param {number} sent @param {number} whole @param {string} [note] */
    show(sent, whole, note = "") {
      if (bar) bar.value = whole ? sent / whole : 0;
      if (words) words.textContent = `${size(sent)} of ${size(whole)}${note}`;
    },
    hide() { if (box) box.hidden = true; },
  };
}

/**
 * Sends a form, whose first part is the token. The answer is a text; an error says why there is none.
 * @param {string} address @param {FormData} body @param {HTMLElement | null} box of the progress @returns {Promise<string>}
 */
export async function send(address, body, box) {
  const { signal, show, hide } = progressIn(box);
  try {
    const answer = await ask("POST", address, body, { progress: show, signal });
    if (answer.status === 0 || answer.status >= 300) throw refusal(answer);
    return answer.text;
  } finally { hide(); }
}
