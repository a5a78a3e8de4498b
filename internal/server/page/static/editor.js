// @ts-check
// The editor of code. It keeps a text field of a form up to date, so the form is sent as it
// would be without script, and marks what the checker finds while somebody writes.

import * as cm from "./codemirror.js";

const colours = cm.HighlightStyle.define([
  { tag: [cm.tags.keyword, cm.tags.operatorKeyword, cm.tags.controlKeyword, cm.tags.definitionKeyword, cm.tags.moduleKeyword], color: "var(--image)" },
  { tag: [cm.tags.string, cm.tags.special(cm.tags.string)], color: "var(--good)" },
  { tag: cm.tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: [cm.tags.number, cm.tags.bool, cm.tags.null], color: "var(--collect)" },
  { tag: [cm.tags.function(cm.tags.variableName), cm.tags.function(cm.tags.definition(cm.tags.variableName)), cm.tags.definition(cm.tags.className)], color: "var(--accent)" },
]);

const look = cm.EditorView.theme({
  "&": { backgroundColor: "var(--back)", color: "var(--text)", border: "1px solid var(--muted)", borderRadius: "6px", fontSize: ".87rem" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", maxHeight: "34rem", minHeight: "6rem", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": { backgroundColor: "var(--mark) !important" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--card)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-panel .cm-textfield, .cm-panel .cm-button, .cm-panel.cm-search label": { fontSize: ".87rem" },
  ".cm-panel .cm-button": { backgroundImage: "none", backgroundColor: "var(--back)", color: "var(--text)" },
  ".cm-panel.cm-search [name=close]": { color: "var(--text)" },
  ".cm-diagnostic": { color: "var(--text)" },
  // The pictures of CodeMirror are in addresses that the policy of the page does not load.
  ".cm-lint-marker-error, .cm-lint-marker-warning": { content: "normal", height: "auto", textAlign: "center" },
  ".cm-lint-marker-error::before": { content: "'✗'", color: "var(--bad)" },
  ".cm-lint-marker-warning::before": { content: "'!'", color: "var(--warn)" },
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warn)" },
  ".cm-matchingBracket": { backgroundColor: "var(--mark) !important" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});

/**
 * Puts an editor in the place of a text field. Tab leaves it, as it leaves any field.
 * @param {HTMLTextAreaElement} area @param {any[]} more
 */
export function edit(area, more = []) {
  const label = document.querySelector(`label[for="${area.id}"]`);
  const nonce = /** @type {HTMLScriptElement | null} */ (document.querySelector("script[nonce]"))?.nonce ?? "";
  const here = document.activeElement === area; // somebody may write before the editor is there
  const view = new cm.EditorView({
    doc: area.value,
    selection: { anchor: area.selectionStart, head: area.selectionEnd },
    extensions: [
      cm.EditorView.cspNonce.of(nonce), cm.lineNumbers(), cm.history(), cm.drawSelection(), cm.indentOnInput(), cm.indentUnit.of("    "),
      cm.bracketMatching(), cm.closeBrackets(), cm.python(), cm.syntaxHighlighting(colours), cm.highlightActiveLine(), cm.highlightSelectionMatches(),
      cm.autocompletion(), look, ...more,
      cm.keymap.of([...cm.closeBracketsKeymap, ...cm.defaultKeymap, ...cm.searchKeymap, ...cm.historyKeymap, ...cm.completionKeymap, ...cm.lintKeymap]),
      cm.EditorView.contentAttributes.of({ "aria-label": label?.textContent?.trim() || "Code", spellcheck: "false" }),
      cm.EditorView.updateListener.of((update) => { if (update.docChanged) area.value = update.state.doc.toString(); }),
    ],
  });
  area.hidden = true;
  area.after(view.dom);
  if (here) view.focus();
  if (label) { // what is hidden has no label
    label.removeAttribute("for");
    label.addEventListener("click", () => view.focus());
  }
  return view;
}

/** The places of findings in a document. @param {any} doc @param {any[]} problems */
function places(doc, problems) {
  return problems.map((p) => {
    const line = doc.line(Math.min(Math.max(p.line, 1), doc.lines)), text = line.text;
    const start = Math.min(Math.max((p.column ?? 1) - 1, text.length - text.trimStart().length), text.length);
    return { from: line.from + start, to: line.to, severity: p.level === "warning" ? "warning" : "error", message: p.message };
  });
}

/** Checks the code of a run while somebody changes it. @param {HTMLFormElement} form @param {HTMLTextAreaElement} area */
function checkCode(form, area) {
  const list = document.getElementById("problems");
  let timer = 0, round = 0;
  const view = edit(area, [cm.lintGutter(), cm.EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    clearTimeout(timer);
    timer = window.setTimeout(check, 300);
  })]);
  async function check() {
    const mine = ++round, doc = view.state.doc;
    const token = /** @type {HTMLInputElement} */ (form.elements.namedItem("form-token")).value;
    const answer = await fetch(document.body.dataset.root + "page/check", {
      method: "POST", body: new URLSearchParams({ "form-token": token, run: form.dataset.run ?? "", code: doc.toString() }),
    }).catch(() => null);
    if (mine !== round || !answer?.ok) return;
    const problems = await answer.json();
    if (view.state.doc !== doc) return;
    view.dispatch(cm.setDiagnostics(view.state, places(doc, problems)));
    list?.replaceChildren(...problems.map((/** @type {any} */ p) => {
      const row = document.createElement("li");
      row.className = p.level === "warning" ? "" : "bad";
      row.textContent = `Line ${p.line}: ${p.message}`;
      return row;
    }));
  }
  check();
}

const form = document.querySelector("form[data-run]"), area = form?.querySelector("#code");
if (form instanceof HTMLFormElement && area instanceof HTMLTextAreaElement) checkCode(form, area);
