// @ts-check
// Files go into a directory of a session when they are chosen or dropped.

import { tell } from "./page.js";
import { chosen, dropped, send, size, takeDrops } from "./files.js";
import { isLarge, sendParts } from "./parts.js";

const form = document.getElementById("upload");
if (form instanceof HTMLFormElement) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));

  /** @param {import("./files.js").Chosen[]} files */
  const take = async (files) => {
    const whole = files.reduce((n, f) => n + f.file.size, 0), max = Number(form.dataset.max);
    form.querySelector("p.bad")?.remove();
    try {
      if (files.length === 0) throw new Error("there is no file in it");
      if (whole > max) throw new Error(`this has ${size(whole)}, and the server takes ${size(max)} at a time`);
      await sendAll(files);
      location.reload();
    } catch (e) {
      const line = document.createElement("p");
      line.className = "bad";
      line.setAttribute("role", "alert");
      line.textContent = /** @type {Error} */ (e).message;
      form.append(line);
      tell(line.textContent);
    }
    input.value = "";
  };

  /** @param {string} name */
  const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value;

  /** Sends the small files at once, and each large one by itself. @param {import("./files.js").Chosen[]} files */
  const sendAll = async (files) => {
    const small = files.filter((f) => !isLarge(f.file)), box = /** @type {HTMLElement | null} */ (form.querySelector(".progress"));
    if (small.length > 0) {
      const body = new FormData();
      for (const name of ["form-token", "path"]) body.append(name, field(name));
      for (const f of small) body.append("files", f.file, f.path);
      await send(form.getAttribute("action") ?? "", body, box);
    }
    for (const f of files) {
      if (isLarge(f.file)) await sendParts({ "form-token": field("form-token"), kind: "session", session: form.dataset.session ?? "", path: field("path"), name: f.path }, f.file, box);
    }
  };
  input.addEventListener("change", () => take(chosen(input)));
  takeDrops(form, (_, data) => { dropped(data).then(take).catch((e) => tell(e.message)); });
  form.addEventListener("submit", (event) => { event.preventDefault(); input.click(); });
}
