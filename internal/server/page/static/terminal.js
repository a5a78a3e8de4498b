// @ts-check
// A terminal of a session: what it shows comes by server-sent events, keys go by forms. It continues
// without this page, and a connection that broke continues where it was.

import { FitAddon, Terminal } from "./xterm.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("terminal")), screen = /** @type {HTMLElement} */ (document.getElementById("screen"));
const state = /** @type {HTMLElement} */ (document.getElementById("state")), leave = /** @type {HTMLElement} */ (document.getElementById("leave"));
const token = () => /** @type {HTMLInputElement} */ (form.elements.namedItem("form-token")).value;
const colour = (/** @type {string} */ name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const maxWaiting = 4 << 20; // bytes that the terminal has not drawn yet

const terminal = new Terminal({
  fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", fontSize: 14, scrollback: 5000, screenReaderMode: true, minimumContrastRatio: 4.5,
  // What runs in the session is not trusted: its links lead nowhere. It has no way to the clipboard, and its title is not shown.
  linkHandler: { activate() {}, allowNonHttpProtocols: false },
});
const fit = new FitAddon();

function paint() {
  terminal.options.theme = { background: colour("back"), foreground: colour("text"), cursor: colour("text"), selectionBackground: colour("accent"), selectionForeground: colour("on-accent") };
}
paint();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
terminal.loadAddon(fit);
terminal.attachCustomKeyEventHandler((/** @type {KeyboardEvent} */ e) => {
  if (e.key !== "F6" || !e.shiftKey) return true;
  e.preventDefault();
  if (e.type === "keydown") leave.focus();
  return false;
});
terminal.open(screen);
terminal.textarea?.setAttribute("aria-label", "Terminal");
terminal.textarea?.setAttribute("aria-describedby", "keys");

/** @param {string} what @param {Record<string, string>} fields */
async function post(what, fields) {
  const answer = await fetch(`${form.dataset.send}/${what}`, { method: "POST", keepalive: true, body: new URLSearchParams({ "form-token": token(), tag: form.dataset.tag ?? "", ...fields }) });
  if (!answer.ok) throw new Error((await answer.text()).trim());
}

/** Keys that were not sent yet. @type {number[]} */
let keys = [];
let sending = false;

/** Sends keys one after the other, so that they come in order. */
async function flush() {
  if (sending) return;
  sending = true;
  try {
    while (keys.length > 0) {
      const now = keys.splice(0, 24 << 10);
      await post("input", { data: btoa(now.map((c) => String.fromCharCode(c)).join("")) });
    }
  } catch (e) {
    keys = [];
    state.textContent = `Keys were not sent: ${/** @type {Error} */ (e).message}`;
  } finally { sending = false; }
}
terminal.onData((/** @type {string} */ text) => { for (const b of new TextEncoder().encode(text)) keys.push(b); flush(); });
terminal.onBinary((/** @type {string} */ text) => { for (const c of text) keys.push(c.charCodeAt(0) & 255); flush(); });

let timer = 0;
terminal.onResize((/** @type {{cols: number, rows: number}} */ size) => {
  clearTimeout(timer);
  timer = window.setTimeout(() => post("size", { columns: String(size.cols), rows: String(size.rows) }).catch(() => {}), 100);
});
new ResizeObserver(() => fit.fit()).observe(screen);
fit.fit();
post("size", { columns: String(terminal.cols), rows: String(terminal.rows) }).catch(() => {});

let place = 0, waiting = 0;
/** @type {EventSource | null} */
let source = null;

function follow() {
  source?.close();
  const now = source = new EventSource(`${form.dataset.follow}&from=${place}`);
  now.addEventListener("open", () => { state.textContent = "connected"; });
  now.addEventListener("error", () => { if (source === now) state.textContent = "The connection broke; it is made again."; });
  now.addEventListener("output", (event) => {
    if (source !== now) return;
    const e = JSON.parse(/** @type {MessageEvent} */ (event).data), bytes = Uint8Array.from(atob(e.data), (c) => c.charCodeAt(0));
    place = e.offset;
    waiting += bytes.length;
    terminal.write(bytes, () => {
      waiting -= bytes.length;
      if (source === null && waiting === 0) follow();
    });
    if (waiting > maxWaiting) { // it writes faster than this can draw
      now.close();
      source = null;
    }
  });
  const end = (/** @type {string} */ words) => {
    now.close();
    source = now;
    state.textContent = words;
    terminal.options.disableStdin = true;
  };
  now.addEventListener("exited", (event) => end(`It has ended, with status ${/** @type {MessageEvent} */ (event).data}.`));
  now.addEventListener("failed", (event) => end(String(JSON.parse(/** @type {MessageEvent} */ (event).data))));
}
follow();
terminal.focus();
