"""Measures how long a change takes from the journal to a page: python delay.py [TIMES].

For a run that is looked at it is the time from its end to the status in the browser, for a list that from the creation
of a new run to the word of it. Both clocks are those of this host.
"""

import datetime
import pathlib
import sys
import tempfile

from conftest import Server, launch, sign_in, visit
from playwright.sync_api import Page, sync_playwright

WATCH = """([selector, text]) => {
  window.seen = null;
  const look = () => { if (!window.seen && document.querySelector(selector)?.innerText.includes(text)) window.seen = Date.now(); };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""


def delay(server: Server, page: Page, run: str, moment: str) -> float:
    """Returns the milliseconds from a moment of a run to what the page watches for."""
    while not (seen := page.evaluate("window.seen")):
        page.wait_for_timeout(20)
    text = server.ask("GET", f"/v1/runs/{run}")[moment]
    return seen - datetime.datetime.fromisoformat(text[:26].rstrip("Z") + "+00:00").timestamp() * 1000


def of_run(server: Server, page: Page) -> float:
    run = server.run("slow", "import asyncio\nawait asyncio.sleep(1.5)\n1", wait=False)
    page.goto("/page/runs/" + run)
    page.evaluate(WATCH, ["h1", "succeeded"])
    return delay(server, page, run, "ended")


def of_list(server: Server, page: Page) -> float:
    page.goto("/page/runs")
    page.evaluate(WATCH, ["#news", "new run"])
    page.wait_for_timeout(500)
    return delay(server, page, server.run("new", "1"), "created")


def main(times: int) -> None:
    server = Server(pathlib.Path(tempfile.mkdtemp()))
    try:
        with sync_playwright() as p:
            page = visit(launch(p), server)
            sign_in(page)
            for name, measure in {"a run ends": of_run, "a run is new in a list": of_list}.items():
                took = sorted(measure(server, page) for _ in range(times))
                print(f"{name}: {took[times // 2]:.0f} ms, of {times} from {took[0]:.0f} to {took[-1]:.0f}")
    finally:
        server.close()


main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
