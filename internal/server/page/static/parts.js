// @ts-check
// Sends a large file in parts, and continues where it was when a connection breaks.

import { ask, progressIn, refusal } from "./files.js";

const partSize = 8 << 20; // bytes; smaller files go at once
const patience = 5 * 60_000; // ms without a byte that arrives; the server has as much

/** @param {File} file */
export const isLarge = (file) => file.size > partSize;

/** @typedef {{offset: number, done?: boolean, ref?: unknown}} Arrived */

/** Whether an answer may be another one soon. @param {number} status */
const passing = (status) => [0, 408, 409, 429, 502, 503, 504].includes(status);

/** Waits, until the browser is back in a network at most. @param {number} ms @param {AbortSignal} signal */
function pause(ms, signal) {
  return new Promise((yes) => {
    const timer = setTimeout(yes, ms);
    for (const [on, name] of /** @type {[EventTarget, string][]} */ ([[window, "online"], [signal, "abort"]])) {
      on.addEventListener(name, () => { clearTimeout(timer); yes(undefined); }, { once: true });
    }
  });
}

/**
 * Sends a file, and returns its reference, if it is an input. The fields say where it goes.
 * @param {Record<string, string>} fields with the token of the form @param {File} file @param {HTMLElement | null} box of the progress
 */
export async function sendParts(fields, file, box) {
  const parts = document.body.dataset.root + "page/upload/parts", token = fields["form-token"];
  const { signal, show, hide } = progressIn(box);
  let address = "";
  try {
    const begun = await ask("POST", parts, new URLSearchParams({ ...fields, size: String(file.size) }), { signal });
    if (begun.status !== 200) throw refusal(begun);
    address = `${parts}/${JSON.parse(begun.text).upload}`;
    let at = 0, since = Date.now();
    for (;;) {
      const from = at;
      const sent = await ask("POST", `${address}?at=${from}`, file.slice(from, from + partSize), { token, signal, progress: (n) => show(Math.min(from + n, file.size), file.size) });
      if (sent.status !== 200 && !passing(sent.status)) throw refusal(sent);
      const far = sent.status === 200 ? /** @type {Arrived} */ (JSON.parse(sent.text)) : await howFar(address, since, signal, () => show(from, file.size, "; the connection broke, it will continue"));
      if (far.done) return far.ref;
      if (far.offset > at) since = Date.now();
      else if (Date.now() - since > patience) throw refusal(sent);
      at = far.offset;
    }
  } finally {
    hide();
    if (address) fetch(address + "/stop", { method: "POST", body: new URLSearchParams({ "form-token": token }), keepalive: true }).catch(() => {}); // it is forgotten anyway
  }
}

/**
 * Asks how much has arrived, until there is an answer.
 * @param {string} address @param {number} since @param {AbortSignal} signal @param {() => void} say @returns {Promise<Arrived>}
 */
async function howFar(address, since, signal, say) {
  for (let tries = 0; ; tries++) {
    say();
    await pause(Math.min(500 * 2 ** tries, 10_000), signal);
    const answer = await ask("GET", address, null, { signal });
    if (answer.status === 200) return JSON.parse(answer.text);
    if (answer.status === 409 || !passing(answer.status) || Date.now() - since > patience) throw refusal(answer);
  }
}
