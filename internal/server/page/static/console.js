// @ts-check
// Runs code in a context of a session, and shows what comes of it as it comes.

import { keymap } from "./codemirror.js";
import { edit } from "./editor.js";
import { policy, tell } from "./page.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("run")), results = /** @type {HTMLElement} */ (document.getElementById("results"));
const area = /** @type {HTMLTextAreaElement} */ (document.getElementById("code")), maxShown = 2000;
const view = edit(area, [keymap.of([{ key: "Mod-Enter", run: () => { form.requestSubmit(/** @type {HTMLElement} */ (form.querySelector("button.main"))); return true; } }])]);

/** Adds a piece of the page that the server made. What is printed continues in one block. @param {string} html */
function add(html) {
  document.getElementById("none")?.remove();
  const fresh = new DOMParser().parseFromString(policy.createHTML(html), "text/html").body;
  for (const node of [...fresh.children]) {
    const last = results.lastElementChild, stream = node.getAttribute("data-stream");
    if (stream && last?.getAttribute("data-stream") === stream) last.append(node.textContent ?? "");
    else results.append(document.importNode(node, true));
  }
  while (results.childElementCount > maxShown) results.firstElementChild?.remove();
}

/** The first code starts a context, which then has a name. @param {string} id */
function nameContext(id) {
  const list = /** @type {HTMLSelectElement} */ (document.getElementById("context"));
  if (list.value !== "") return;
  list.replaceChildren(new Option(`python ${id}`, id));
  for (const button of form.querySelectorAll("button")) button.disabled = false;
}

/** Shows why code was not run where its results would be. @param {string} text */
function refuse(text) {
  const said = document.createElement("p");
  said.className = "bad";
  said.setAttribute("role", "alert");
  said.textContent = text;
  document.getElementById("none")?.remove();
  results.append(said);
}

async function run() {
  const answer = await fetch(form.dataset.stream ?? "", { method: "POST", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) });
  if (!answer.ok || !answer.body) throw new Error((await answer.text()).trim());
  nameContext(answer.headers.get("Glovebox-Context") ?? "");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const e of events) {
      const data = e.split("\n").find((line) => line.startsWith("data: "));
      if (data && e.startsWith("event: result")) add(JSON.parse(data.slice("data: ".length)));
    }
  }
}

let busy = false;
form.addEventListener("submit", async (event) => {
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  if (button.hasAttribute("formaction") && !button.formAction.endsWith("/interrupt")) return; // the page is loaded again
  event.preventDefault();
  if (button.hasAttribute("formaction")) {
    await fetch(button.formAction, { method: "POST", redirect: "manual", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) }).catch(() => {});
    return;
  }
  if (busy) { tell("Code runs already."); return; }
  busy = true;
  results.setAttribute("aria-busy", "true");
  tell("The code runs.");
  await run().then(() => tell("The code has ended."), (e) => refuse(`The code could not be run: ${e.message}`));
  busy = false;
  results.removeAttribute("aria-busy");
});
view.focus();
