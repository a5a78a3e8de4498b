"""PDF files on the page, in the viewer of a real browser."""

import pytest
from conftest import shot
from pdf import pdf, wait_for_red
from playwright.sync_api import expect

ELSEWHERE = "http://127.0.0.1:9/elsewhere"
ACTS = {
    "nothing": "",
    "leads away": f"/S/URI/URI({ELSEWHERE})",
    "sends a form": f"/S/SubmitForm/F({ELSEWHERE})",
    "runs script": rf"/S/JavaScript/JS(this.submitForm\('{ELSEWHERE}'\);app.launchURL\('{ELSEWHERE}'\);this.getURL\('{ELSEWHERE}'\);)",
}


@pytest.mark.parametrize("acts", ACTS)
def test_a_pdf_is_shown_when_it_is_asked_for(page, server, acts):
    files = {"report": pdf(ACTS[acts]), "fake": b"<script>alert(1)</script><h1>no PDF</h1>"}
    task = {"name": "files", "kind": "orchestrator", "code": "1", "orchestrator": {}, "signature": {"inputs": [{"name": n, "type": "File"} for n in files]}}
    inputs = {name: {"path": name + ".pdf", **server.store(data)} for name, data in files.items()}
    run = server.ask("POST", "/v1/runs", {"task": task, "inputs": inputs})["id"]
    asked = []
    page.on("request", lambda r: asked.append(r.url))
    page.goto("/page/runs/" + server.wait(run))
    page.wait_for_load_state("networkidle")
    frame = page.get_by_role("region", name="Inputs").locator("iframe")
    expect(frame).to_have_count(1)
    assert not any(url.endswith("/view") for url in asked)
    address = page.url
    page.get_by_text("Show the PDF report").click()
    wait_for_red(page, frame)
    assert page.url == address and page.context.pages == [page] and ELSEWHERE not in asked
    shot(page, "pdf-light")
