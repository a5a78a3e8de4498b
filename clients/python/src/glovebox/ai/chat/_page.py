"""The page of a chat: one document, which asks nothing of any other host."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")


@dataclass(frozen=True, kw_only=True)
class CustomTheme:
    """The colours of the page, such as ``"#E6A71F"``."""

    __module__ = "glovebox.ai.chat"  # where users find it

    accent_color: str = "#6F2AEF"
    accent_hover_color: str = "#8B52F2"
    button_text_color: str = "#f3f4f6"

    def __post_init__(self) -> None:
        for name in ("accent_color", "accent_hover_color", "button_text_color"):
            given: object = getattr(self, name)
            if not isinstance(given, str) or not _HEX.fullmatch(given):
                raise ValueError(f"{name} of a CustomTheme: expected a colour such as '#E6A71F', got {given!r}")


def page(title: str, subtitle: str, nudges: Sequence[Mapping[str, str]], theme: CustomTheme, nonce: str) -> bytes:
    """Returns the document. Only its own script, which has the nonce, runs in it."""
    settings: Any = [{"label": each["label"], "prompt": each["prompt"]} for each in nudges]
    data = json.dumps(settings).replace("<", "\\u003c")
    made = _DOCUMENT.replace("{title}", html.escape(title)).replace("{subtitle}", html.escape(subtitle))
    made = made.replace("{accent}", theme.accent_color).replace("{hover}", theme.accent_hover_color)
    return made.replace("{text}", theme.button_text_color).replace("{nonce}", nonce).replace("{nudges}", data).encode()


def policy(nonce: str) -> str:
    """Returns the Content-Security-Policy of the page."""
    own = f"'nonce-{nonce}'"
    return (
        f"default-src 'none'; script-src {own}; style-src {own}; connect-src 'self'; img-src data:; frame-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


# _DOCUMENT shows the words of the model and its tools as text, and a chart of theirs in a frame without scripts.
_DOCUMENT = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style nonce="{nonce}">
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.3rem; margin: 0; }
#said { min-height: 40vh; padding: 1rem 0; }
#said > * { white-space: pre-wrap; overflow-wrap: anywhere; padding: .6rem .9rem; border-radius: .5rem; }
#said > * { margin: .5rem 0; }
.mine { background: color-mix(in srgb, {accent} 15%, transparent); }
.error { border: 1px solid #c33; }
.doing { opacity: .7; font-style: italic; }
pre { font-size: .85rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
iframe { width: 100%; height: 24rem; border: 0; background: #fff; }
button { background: {accent}; color: {text}; border: 0; border-radius: .5rem; padding: .5rem .9rem; font: inherit; }
button:hover { background: {hover}; }
form { display: flex; gap: .5rem; }
textarea { flex: 1; font: inherit; }
#nudges { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: .5rem; }
#nudges[hidden] { display: none; }
</style></head><body>
<h1>{title}</h1><p>{subtitle}</p>
<details><summary>Tools</summary><ul id="tools"></ul></details>
<main id="said" aria-live="polite"></main>
<div id="nudges"></div>
<form id="ask"><textarea id="message" rows="2" aria-label="Message" required></textarea><button>Send</button></form>
<script nonce="{nonce}">
const nudges = {nudges}
const at = id => document.getElementById(id)
const history = []
function show(kind, text, tag = 'div') {
  const made = document.createElement(tag)
  made.className = kind
  made.textContent = text
  at('said').append(made)
  made.scrollIntoView()
  return made
}
function finish(answer) {
  if (answer.code) show('code', answer.code, 'pre')
  if (answer.error) show('error', answer.error)
  if (answer.summary) show('theirs', answer.summary)
  for (const chart of answer.charts) {
    const frame = show('chart', '', 'iframe')
    frame.setAttribute('sandbox', '')
    frame.srcdoc = chart
  }
}
async function ask(message) {
  at('nudges').hidden = true
  show('mine', message)
  const doing = show('doing', 'asking')
  const body = JSON.stringify({message, history, stream: true})
  let rest = ''
  const line = text => {
    const event = JSON.parse(text)
    if (event.type === 'progress') return doing.textContent = event.text
    doing.remove()
    finish(event)
    history.push({role: 'user', content: message})
    if (event.summary) history.push({role: 'assistant', content: event.summary})
  }
  try {
    const answer = await fetch('api/chat', {method: 'POST', headers: {'Content-Type': 'application/json'}, body})
    if (!answer.ok) throw new Error((await answer.json()).error)
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const {value, done} = await reader.read()
      if (done) break
      const lines = (rest + value).split('\\n')
      rest = lines.pop()
      lines.forEach(line)
    }
  } catch (error) {
    doing.remove()
    show('error', String(error))
  }
}
at('ask').addEventListener('submit', async event => {
  event.preventDefault()
  const message = at('message').value
  at('message').value = ''
  at('ask').querySelector('button').disabled = true
  await ask(message)
  at('ask').querySelector('button').disabled = false
})
at('message').addEventListener('keydown', event => {
  if (event.key === 'Enter' && !event.shiftKey) { event.preventDefault(); at('ask').requestSubmit() }
})
for (const {label, prompt} of nudges) {
  const button = document.createElement('button')
  button.textContent = label
  button.addEventListener('click', () => { at('message').value = prompt; at('ask').requestSubmit() })
  at('nudges').append(button)
}
fetch('api/tools').then(answer => answer.json()).then(tools => {
  for (const tool of tools) {
    const item = document.createElement('li')
    item.textContent = tool.signature + ' ' + tool.description
    at('tools').append(item)
  }
})
</script></body></html>
"""
