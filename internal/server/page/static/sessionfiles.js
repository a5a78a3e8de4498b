// @ts-check
// Files go into a directory of a session when they are chosen or dropped.

import { tell } from "./page.js";
import { chosen, dropped, send, size, takeDrops } from "./files.js";

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
      const body = new FormData();
      for (const name of ["form-token", "path"]) body.append(name, /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value);
      for (const f of files) body.append("files", f.file, f.path);
      await send(form.getAttribute("action") ?? "", body, form.querySelector(".progress"));
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
  input.addEventListener("change", () => take(chosen(input)));
  takeDrops(form, (_, data) => { dropped(data).then(take).catch((e) => tell(e.message)); });
  form.addEventListener("submit", (event) => { event.preventDefault(); input.click(); });
}
