// @ts-check
// The form that starts a run: rows come and go, and files are sent, without loading the page again.

import { policy, tell } from "./page.js";
import { chosen, dropped, send, size, takeDrops } from "./files.js";
import { isLarge, sendParts } from "./parts.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("start"));
const token = () => /** @type {HTMLInputElement} */ (form.elements.namedItem("form-token")).value;
let sending = 0;

/** Has the server change the form, as a button asks. Nothing can be typed meanwhile: it would be lost. @param {HTMLButtonElement} button */
async function change(button) {
  const body = new FormData(form, button), fields = /** @type {HTMLFieldSetElement} */ (document.getElementById("fields"));
  fields.disabled = true;
  await changed(button, body, fields).finally(() => { fields.disabled = false; });
}

/** @param {HTMLButtonElement} button @param {FormData} body @param {HTMLFieldSetElement} fields */
async function changed(button, body, fields) {
  for (const name of [...body.keys()]) if (body.get(name) instanceof File) body.delete(name); // those are there already
  const answer = await fetch(form.getAttribute("action") ?? "", {
    method: "POST", headers: { Accept: "text/html" }, body: form.enctype === "multipart/form-data" ? body : new URLSearchParams(/** @type {any} */ (body)),
  });
  const page = new DOMParser().parseFromString(policy.createHTML(await answer.text()), "text/html"), fresh = page.getElementById("fields");
  if (!fresh) { tell(page.querySelector("main .message")?.textContent ?? "The form could not be changed."); return; }
  fields.replaceWith(document.importNode(fresh, true));
  focusAfter(button.value);
}

/** @param {string} done such as "add in-rows" */
function focusAfter(done) {
  const at = done.indexOf(" "), verb = done.slice(0, at);
  let name = done.slice(at + 1);
  if (verb === "remove") name = name.slice(0, name.lastIndexOf("/"));
  const place = document.getElementById(name);
  const row = verb === "add" ? [...(place?.querySelectorAll(":scope > .item") ?? [])].pop() : null;
  (/** @type {HTMLElement | null} */ (row?.querySelector("input:not([type=hidden]), select, textarea")) ?? place)?.focus();
}

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button instanceof HTMLButtonElement && button.name === "do") {
    event.preventDefault();
    change(button).catch(() => tell("The server cannot be reached."));
  } else if (sending > 0) {
    event.preventDefault();
    tell("A file is still being sent.");
  }
});

/** Sends what was chosen for a field, and keeps its reference there. @param {HTMLElement} box @param {import("./files.js").Chosen[]} files */
async function take(box, files) {
  const kind = box.dataset.upload ?? "file", input = /** @type {HTMLInputElement} */ (box.querySelector("input[type=file]"));
  const hidden = /** @type {HTMLInputElement} */ (box.querySelector("input[type=hidden]")), progress = /** @type {HTMLElement} */ (box.querySelector(".progress"));
  const whole = files.reduce((n, f) => n + f.file.size, 0), max = Number(form.dataset.max);
  problem(box, input, "");
  try {
    if (files.length === 0) throw new Error("there is no file in it");
    if (kind !== "dir" && (files.length > 1 || files[0].path.includes("/"))) throw new Error("this takes one file");
    if (whole > max) throw new Error(`this has ${size(whole)}, and the server takes ${size(max)}; use glovebox start`);
    sending++;
    hidden.value = await sent(kind, files, progress).finally(() => sending--);
    show(box, kind === "dir" ? files[0].path.split("/")[0] : files[0].path, whole, kind === "dir" ? files.length : 0);
    tell(`${files[0].path.split("/")[0]} was sent.`);
  } catch (e) {
    problem(box, input, String(/** @type {Error} */ (e).message));
  }
  input.value = ""; // it is not to be sent once more with the form
}

/** Sends a file or a directory, and returns its reference. @param {string} kind @param {import("./files.js").Chosen[]} files @param {HTMLElement} progress */
async function sent(kind, files, progress) {
  if (kind !== "dir" && isLarge(files[0].file)) {
    return JSON.stringify(await sendParts({ "form-token": token(), kind, name: files[0].path }, files[0].file, progress));
  }
  const body = new FormData();
  body.append("form-token", token());
  for (const f of files) body.append(kind + ":ref", f.file, f.path);
  return send(document.body.dataset.root + "page/upload/input", body, progress);
}

/** @param {HTMLElement} box @param {string} name @param {number} bytes @param {number} count */
function show(box, name, bytes, count) {
  const line = document.createElement("p"), words = document.createElement("span"), more = document.createElement("span"), away = document.createElement("button");
  line.className = "chosen";
  words.className = "name";
  words.textContent = name;
  more.className = "muted";
  more.textContent = size(bytes) + (count ? `, ${count} files` : "");
  away.name = "do";
  away.value = "clear " + box.querySelector("input[type=file]")?.id;
  away.textContent = "Take away";
  away.setAttribute("aria-label", `Take ${name} away`);
  away.setAttribute("formnovalidate", "");
  line.append(words, more, away);
  box.querySelector(".chosen")?.remove();
  box.querySelector("input[type=file]")?.before(line);
}

/** Says beside a field what is wrong with it. @param {HTMLElement} box @param {HTMLInputElement} input @param {string} text */
function problem(box, input, text) {
  box.querySelector("p.bad")?.remove();
  box.classList.toggle("wrong", text !== "");
  for (const name of ["aria-invalid", "aria-describedby"]) input.removeAttribute(name);
  if (!text) return;
  const line = document.createElement("p");
  line.className = "bad";
  line.id = "p-" + input.id;
  line.textContent = text;
  line.setAttribute("role", "alert");
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", line.id);
  box.append(line);
}

form.addEventListener("change", (event) => {
  const input = event.target;
  if (input instanceof HTMLSelectElement && input.matches("select.as")) /** @type {HTMLButtonElement} */ (input.nextElementSibling).click();
  if (input instanceof HTMLInputElement && input.type === "file" && input.files?.length) take(/** @type {HTMLElement} */ (input.closest(".drop")), chosen(input));
});
takeDrops(form, (box, data) => { dropped(data).then((files) => take(box, files)).catch((e) => problem(box, /** @type {HTMLInputElement} */ (box.querySelector("input[type=file]")), e.message)); });
