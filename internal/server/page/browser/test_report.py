"""The report of a run on the page, in a real browser."""

import subprocess
import sys

from conftest import ROOT, shot
from playwright.sync_api import expect

ELSEWHERE = "http://127.0.0.1:9/"
PROGRAM = f"""
import glovebox
env = glovebox.TaskEnvironment(name="shown")
HOSTILE = '''<script>document.title = top.document.title = "reached"; fetch("{ELSEWHERE}fetch")</script>
<script src="{ELSEWHERE}script.js"></script><img src="{ELSEWHERE}picture.png" onerror="top.location = '{ELSEWHERE}error'">
<link rel="stylesheet" href="{ELSEWHERE}style.css"><meta http-equiv="refresh" content="0;url={ELSEWHERE}refresh">
<iframe src="{ELSEWHERE}frame"></iframe><form action="{ELSEWHERE}form"><button>Send</button></form>'''

@env.task(report=True)
def write() -> int:
    glovebox.report.log("<h1>the first tab</h1>" + HOSTILE)
    glovebox.report.get_tab("Other").log("<p>the other tab</p>")
    return 1

run = glovebox.start(write)
run.wait()
print(run.id)
"""


def test_a_report_is_shown_and_reaches_nothing(page, server):
    environment = {**server.environment, "PYTHONPATH": str(ROOT / "clients" / "python" / "src")}
    run = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    asked = []
    page.on("request", lambda r: asked.append(r.url))
    page.goto("/page/runs/" + run)
    page.wait_for_load_state("networkidle")
    address, title = page.url, page.title()
    report = page.frame_locator("iframe[title='Report of the run']")
    expect(report.get_by_text("the first tab")).to_be_visible()
    expect(report.get_by_text("the other tab")).to_be_hidden()
    report.get_by_text("Other", exact=True).click()
    expect(report.get_by_text("the other tab")).to_be_visible()
    expect(report.get_by_text("the first tab")).to_be_hidden()
    report.get_by_text("main", exact=True).click()
    report.get_by_role("button", name="Send").click()
    page.wait_for_load_state("networkidle")
    assert page.url == address and page.title() == title and page.context.pages == [page]
    assert not [url for url in asked if url.startswith(ELSEWHERE)]
    shot(page, "report-light")
