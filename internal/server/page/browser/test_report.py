"""The report of a run on the page, in a real browser."""

import http.server
import subprocess
import sys
import threading

import pytest
from conftest import ROOT, shot
from playwright.sync_api import expect

PROGRAM = """
import glovebox
env = glovebox.TaskEnvironment(name="shown")
HOSTILE = '''<script>document.title = top.document.title = "reached"; fetch("ELSEWHEREfetch")</script>
<script src="ELSEWHEREscript.js"></script><img src="ELSEWHEREpicture.png" onerror="top.location = 'ELSEWHEREerror'">
<link rel="stylesheet" href="ELSEWHEREstyle.css"><meta http-equiv="refresh" content="0;url=ELSEWHERErefresh">
<iframe src="ELSEWHEREframe"></iframe><form action="ELSEWHEREform"><button>Send</button></form>'''

@env.task(report=True)
def write() -> int:
    glovebox.report.log("<h1>the first tab</h1>" + HOSTILE)
    glovebox.report.get_tab("Other").log("<p>the other tab</p>")
    return 1

run = glovebox.start(write)
run.wait()
print(run.id)
"""


@pytest.fixture
def elsewhere():
    """Another host, and the paths that were asked of it."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        do_POST = do_GET

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{other.server_port}/", asked
        other.shutdown()


def test_a_report_is_shown_and_reaches_nothing(page, server, elsewhere):
    other, asked = elsewhere
    environment = {**server.environment, "PYTHONPATH": str(ROOT / "clients" / "python" / "src")}
    run = subprocess.run([sys.executable, "-c", PROGRAM.replace("ELSEWHERE", other)], env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
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
    assert asked == []  # the browser names what the policy of the frame keeps it from asking
    shot(page, "report-light")
    assert page.wrong and all("Content Security Policy" in said or "sandboxed" in said or said.startswith("request to " + other) for said in page.wrong)
    page.wrong.clear()
