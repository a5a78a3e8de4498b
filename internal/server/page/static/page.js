// @ts-check
// The script of the page. Everything can be read without it; it writes local times,
// replaces what has changed, and follows logs.

/** @type {{createHTML: (text: string) => any}} */
export const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("page", { createHTML: (/** @type {string} */ text) => text })
  ?? { createHTML: (text) => text };

/** @param {ParentNode} root */
export function localTimes(root) {
  for (const e of root.querySelectorAll("time[datetime]")) {
    const at = new Date(e.getAttribute("datetime") ?? "");
    if (isNaN(at.getTime())) continue;
    if (!e.hasAttribute("title")) e.setAttribute("title", e.textContent ?? "");
    e.textContent = e.getAttribute("data-form") === "clock" ? at.toLocaleTimeString() : said(at);
  }
}

const days = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** A time as people say it: those of today and the days beside it have no date. @param {Date} at */
function said(at) {
  const midnight = (/** @type {Date} */ t) => new Date(t.getFullYear(), t.getMonth(), t.getDate()).getTime();
  const away = Math.round((midnight(at) - midnight(new Date())) / 86_400_000);
  return Math.abs(away) > 1 ? at.toLocaleString() : `${days.format(away, "day")} ${at.toLocaleTimeString()}`;
}

/** Says something to people who do not see the page. @param {string} text */
export function tell(text) {
  const told = document.getElementById("told");
  if (told) told.textContent = text;
}

/** The HTML that each region had when the server sent it. @type {Map<string, string>} */
const sent = new Map();

/** @param {ParentNode} root */
function* regions(root) {
  for (const e of root.querySelectorAll("[data-live]")) yield e;
}

/** Replaces a region; focus, opened details and the places of lists stay. @param {Element} old @param {Element} fresh */
function replace(old, fresh) {
  const focus = document.activeElement?.id;
  const opened = [...old.querySelectorAll("details[id]")].map((d) => [d.id, d.hasAttribute("open")]);
  const places = [...old.querySelectorAll(".log, .code, .scroll")].map((e) => [e.scrollTop, e.scrollLeft, e.scrollTop + e.clientHeight >= e.scrollHeight - 4]);
  old.replaceChildren(...document.importNode(fresh, true).childNodes);
  for (const [id, open] of opened) document.getElementById(String(id))?.toggleAttribute("open", Boolean(open));
  [...old.querySelectorAll(".log, .code, .scroll")].forEach((e, i) => {
    if (!places[i]) return;
    e.scrollTop = places[i][2] && e.classList.contains("log") ? e.scrollHeight : Number(places[i][0]);
    e.scrollLeft = Number(places[i][1]);
  });
  localTimes(old);
  if (focus && document.activeElement?.id !== focus) document.getElementById(focus)?.focus({ preventScroll: true });
}

/** Changes the rows of a list where they are, and says how many new ones there are
 * instead of moving the others from under the pointer. @param {Element} old @param {Element} fresh */
function hold(old, fresh) {
  let added = 0;
  for (const row of fresh.querySelectorAll("tr[id]")) {
    const known = old.querySelector("#" + CSS.escape(row.id));
    if (!known) added++;
    else [...row.children].forEach((cell, i) => {
      const was = known.children[i];
      if (!was || was.innerHTML === cell.innerHTML) return;
      was.replaceChildren(...document.importNode(cell, true).childNodes);
      localTimes(was);
    });
  }
  const news = document.getElementById("news"), button = news?.querySelector("button");
  if (!news || !button) return;
  button.textContent = added === 1 ? "1 new run" : `${added} new runs`;
  if (added && news.hidden) tell("There are new runs");
  news.hidden = !added;
  button.onclick = () => {
    news.hidden = true;
    replace(old, fresh);
    /** @type {HTMLElement | null} */ (old.querySelector("tr[id] a"))?.focus();
  };
}

/** Reports whether somebody writes or reads in a form of a region. @param {Element} region */
function isUsed(region) {
  return region.contains(document.activeElement) && /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
}

let loading = false, again = false;

/** Loads the page and replaces what has changed. */
async function refresh() {
  if (loading) { again = true; return; }
  loading = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(policy.createHTML(await answer.text()), "text/html");
    for (const fresh of regions(page)) {
      const old = document.getElementById(fresh.id);
      if (!old || sent.get(fresh.id) === fresh.innerHTML || isUsed(old)) continue;
      sent.set(fresh.id, fresh.innerHTML);
      if (old.hasAttribute("data-hold") && old.querySelector("tr[id]")) hold(old, fresh);
      else replace(old, fresh);
    }
    const status = document.querySelector("h1 .status")?.textContent;
    if (status && status !== before) tell(before = status);
  } catch { /* the server is away; the stream says when it is back */ } finally {
    loading = false;
    if (again) { again = false; refresh(); }
  }
}
let before = document.querySelector("h1 .status")?.textContent ?? "";

function follow() {
  const address = document.body.dataset.follow;
  if (!address) return;
  for (const r of regions(document)) sent.set(r.id, r.innerHTML);
  const source = new EventSource(address);
  source.addEventListener("change", refresh);
  source.addEventListener("end", () => source.close());
  source.addEventListener("go", (event) => {
    source.close();
    location.replace(JSON.parse(/** @type {MessageEvent} */ (event).data));
  });
}

/** Appends to a log what comes. A list of more than 5,000 lines loses its first. */
function followLog() {
  const frame = /** @type {HTMLElement | null} */ (document.querySelector("[data-log]")), list = frame?.querySelector("ol");
  if (!frame?.dataset.log || !list) return;
  const source = new EventSource(frame.dataset.log);
  source.addEventListener("end", () => source.close());
  source.addEventListener("lines", (event) => {
    const atEnd = frame.scrollTop + frame.clientHeight >= frame.scrollHeight - 4;
    frame.hidden = false;
    for (const line of JSON.parse(/** @type {MessageEvent} */ (event).data).slice(-5000)) addLine(list, line);
    while (list.childElementCount > 5000) list.firstElementChild?.remove();
    if (atEnd) frame.scrollTop = frame.scrollHeight;
  });
  frame.scrollTop = frame.scrollHeight;
}

/** Adds a line, or what came of one that was not complete. @param {Element} list @param {{number: number, time: string, stream: string, text: string}} line */
function addLine(list, line) {
  for (let e = list.lastElementChild, i = 0; e && i < 3; e = e.previousElementSibling, i++) {
    if (Number(e.getAttribute("data-n")) !== line.number) continue;
    const text = e.querySelector(".text");
    if (text) text.textContent = line.text;
    return;
  }
  if (Number(list.lastElementChild?.getAttribute("data-n") ?? 0) >= line.number) return;
  const row = document.createElement("li"), time = document.createElement("time");
  row.className = /^(stdout|stderr|system)$/.test(line.stream) ? line.stream : "";
  row.setAttribute("data-n", String(line.number));
  time.setAttribute("datetime", line.time);
  time.setAttribute("data-form", "clock");
  time.textContent = line.time;
  row.append(time, span("stream", line.stream), span("text", line.text));
  localTimes(row);
  list.append(row);
}

/** @param {string} name @param {string} text */
function span(name, text) {
  const e = document.createElement("span");
  e.className = name;
  e.textContent = text;
  return e;
}

/** Signs in with the code that `glovebox open` put behind the address. */
function signIn() {
  const form = document.getElementById("sign-in");
  if (!(form instanceof HTMLFormElement) || !location.hash.startsWith("#code=")) return;
  const code = form.elements.namedItem("code");
  if (!(code instanceof HTMLInputElement)) return;
  code.value = location.hash.slice("#code=".length);
  history.replaceState(null, "", location.pathname + location.search);
  form.submit();
}

follow();
localTimes(document);
document.addEventListener("visibilitychange", () => localTimes(document)); // yesterday it was today
for (const log of document.querySelectorAll("[data-live] .log")) log.scrollTop = log.scrollHeight;
signIn();
followLog();
