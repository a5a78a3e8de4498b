"""Writes the pictures of the page for the documents: screenshots.py DIRECTORY.

A server in a home of its own gets some runs, a schedule and a session, and a browser looks at them.
"""

import io
import pathlib
import sys
import tempfile

from conftest import Server, launch, sign_in, visit
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

LARGEST = 150_000  # bytes of a picture
TASKS = """
name: desk
tasks:
  fetch:
    kind: orchestrator
    doc: The lines of an order.
    inputs: {order: str}
    output: "list[str]"
    code: |
      import asyncio
      await asyncio.sleep(0.4)
      order.split(", ")
    dialect: extended
    clock: real
  price:
    kind: orchestrator
    doc: The price of an article.
    inputs: {article: str, factor: {type: float, default: 1.25}}
    output: float
    code: |
      import asyncio
      await asyncio.sleep(0.2 + 0.05 * len(article))
      len(article) * factor
    dialect: extended
    clock: real
  invoice:
    kind: orchestrator
    doc: What an order costs, by article.
    inputs: {order: str, due: date, discounts: {type: "dict[str, float]", default: {}}}
    output: Any
    tools: [fetch, price]
    code: |
      articles = fetch(order=order)
      print("articles:", len(articles))
      rows = [{"article": a, "price": price(article=a) - discounts.get(a, 0.0)} for a in articles]
      print("due", due)
      rows
    dialect: extended
schedules:
  nightly: {task: invoice, cron: "0 2 * * *", zone: Europe/Berlin, inputs: {order: "tea, milk", due: "2026-12-01"}}
"""


def main(directory: pathlib.Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as p:
        server = Server(pathlib.Path(home))
        browser = launch(p)
        try:
            shown = demonstrate(server, pathlib.Path(home))
            for scheme in ("light", "dark"):
                page = visit(browser, server, color_scheme=scheme, viewport={"width": 1180, "height": 760})
                sign_in(page)
                take(page, shown, directory, scheme)
                assert page.wrong == []
                page.context.close()
        finally:
            browser.close()
            server.close()


def demonstrate(server: Server, home: pathlib.Path) -> dict[str, str]:
    """Makes what the pictures show, and returns the ids."""
    (home / "desk.yaml").write_text(TASKS)
    server.glovebox("deploy", str(home / "desk.yaml"))
    run = server.start("desk.invoice", {"order": "tea, milk, sugar, coffee, bread", "due": "2026-12-01", "discounts": {"tea": 0.5}})
    server.run("half", "def half(n):\n    return 1 / n\n\nhalf(n)", {"n": 0})
    server.start("desk.price", {"article": "tea"})
    session = server.ask("POST", "/v1/sessions", {"labels": {"for": "ada"}})["id"]
    return {"run": run, "session": session}


def take(page: Page, shown: dict[str, str], directory: pathlib.Path, scheme: str) -> None:
    page.goto("/page/runs")
    save(page, directory / f"runs-{scheme}.png")
    page.goto("/page/runs/" + shown["run"])
    save(page, directory / f"run-{scheme}.png")
    page.goto(f"/page/runs/{shown['run']}/rerun")
    expect(page.locator(".cm-content")).to_be_visible()
    save(page, directory / f"rerun-{scheme}.png")
    page.goto(f"/page/sessions/{shown['session']}/terminal")
    page.get_by_role("button", name="New terminal").click()
    expect(page.get_by_role("status").filter(has_text="connected")).to_be_visible()
    page.get_by_role("textbox", name="Terminal").focus()
    page.keyboard.type("python3 -c 'import sys; print(sys.version)'; uname -a\n")
    expect(page.locator(".xterm-accessibility")).to_contain_text("Linux")
    save(page, directory / f"terminal-{scheme}.png")
    page.goto(f"/page/sessions/{shown['session']}/code")
    page.get_by_role("textbox", name="Code").focus()
    page.keyboard.insert_text("squares = {n: n * n for n in range(6)}\nprint(sum(squares.values()))\nsquares")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("region", name="Results")).to_contain_text("25")
    save(page, directory / f"code-{scheme}.png")


def save(page: Page, path: pathlib.Path) -> None:
    """Keeps a picture of 256 colours, of which a page has no more."""
    page.wait_for_timeout(400)
    picture = Image.open(io.BytesIO(page.screenshot(full_page=False))).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    picture.save(path, optimize=True)
    if (n := path.stat().st_size) > LARGEST:
        sys.exit(f"{path} has {n} bytes, expected at most {LARGEST}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
