"""The page of HTML that the tabs of a report make. It needs no script: a browser shows it in a frame without any."""

from __future__ import annotations

import html
from collections.abc import Mapping

_STYLE = """\
body { margin: 0; padding: 1rem; font: 15px/1.5 system-ui, sans-serif; }
body > input { position: absolute; opacity: 0; }
body > label { display: inline-block; padding: .3rem .8rem; border-bottom: 3px solid transparent; cursor: pointer; }
body > input:focus-visible + label { outline: 2px solid; }
body > section { display: none; padding-top: 1rem; }
"""

MAIN = "main"  # the tab that is there from the start

_DOCUMENTS = ("<!doctype html", "<html")  # how a text begins that is a whole page


def page_of(name: str, tabs: Mapping[str, str]) -> str:
    """Returns the page of a report. One tab that is a whole page is that page."""
    if len(tabs) == 1 and next(iter(tabs.values())).lstrip()[:20].lower().startswith(_DOCUMENTS):
        return next(iter(tabs.values()))
    style, heads, bodies = [_STYLE], list[str](), list[str]()
    for at, (tab, content) in enumerate(tabs.items()):
        style.append(f"#t{at}:checked ~ #p{at} {{ display: block; }}\n")
        style.append(f"#t{at}:checked + label {{ border-color: currentColor; }}\n")
        checked = " checked" if at == 0 else ""
        heads.append(
            f'<input type="radio" name="tab" id="t{at}"{checked}><label for="t{at}">{html.escape(tab)}</label>\n'
        )
        bodies.append(f'<section id="p{at}">\n{content}\n</section>\n')
    if list(tabs) == [MAIN]:  # whose name tells people nothing
        heads = ['<input type="radio" id="t0" checked hidden>\n']
    return (
        f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{html.escape(name)}</title>\n'
        f"<style>\n{''.join(style)}</style>\n</head>\n<body>\n{''.join(heads)}{''.join(bodies)}</body>\n</html>\n"
    )
