"""The pages of sessions, by roles and names, in a real browser and a real cell."""

import random
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import BROKEN, LARGE, break_parts, shot, sign_in, visit
from pdf import pdf, wait_for_red
from playwright.sync_api import expect

pytestmark = pytest.mark.timeout(300)  # the first session may have to build the image
HOSTILE = "<img src=x onerror=alert(1)>"


def screen(page):
    """The lines that a terminal shows, as a screen reader has them."""
    return page.locator(".xterm-accessibility")


def open_terminal(page, session):
    page.goto(f"/page/sessions/{session}/terminal")
    page.get_by_role("button", name="New terminal").click()
    expect(page.get_by_role("status").filter(has_text="connected")).to_be_visible()
    page.get_by_role("textbox", name="Terminal").focus()


def test_a_session_is_created(page, server, session):
    page.goto("/page/sessions")
    page.get_by_text("New session…").click()
    page.get_by_label("Memory in MiB").fill("lots")
    page.get_by_role("button", name="Create the session").click()
    expect(page.get_by_role("alert")).to_contain_text("memory is lots")
    page.get_by_label("Memory in MiB").fill("256")
    page.get_by_label("Paused after minutes without use").fill("5")
    page.get_by_role("button", name="Create the session").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("running", timeout=60_000)
    made = server.ask("GET", "/v1/sessions/" + page.url.rsplit("/", 1)[1])
    assert made["spec"]["resources"]["memory"] == 256 << 20 and made["spec"]["idle_ns"] == 300_000_000_000
    page.get_by_text("Kill…").click()
    page.get_by_role("button", name="Kill the session").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("ended")


@pytest.fixture
def package():
    """A requirement that no test had before, so that its image is not there."""
    return f"iniconfig>=0.{random.randrange(10**9)}"


def ask_for_packages(page, packages):
    page.goto("/page/sessions")
    page.get_by_text("New session…").click()
    page.get_by_label("Python packages").fill(packages)
    page.get_by_role("button", name="Create the session").click()


def test_a_new_session_shows_its_build(page, server, package):
    ask_for_packages(page, package)
    expect(page.get_by_role("heading", level=1)).to_contain_text(re.compile("building|starting"))
    build = page.get_by_role("region", name="Build", exact=True)
    expect(build).to_contain_text("resolving " + package, timeout=60_000)  # without loading the page again
    shot(page, "session-new")
    page.wait_for_url(re.compile("/page/sessions/[0-9a-z]+$"), timeout=120_000)
    expect(page.get_by_role("heading", level=1)).to_contain_text("running", timeout=60_000)
    server.glovebox("session", "kill", page.url.rsplit("/", 1)[1])


def test_a_build_that_fails_says_why_beside_its_form(page):
    ask_for_packages(page, "no-such-package-of-glovebox")
    expect(page.get_by_role("alert")).to_contain_text("no-such-package-of-glovebox", timeout=120_000)
    expect(page.get_by_role("alert")).to_contain_text("What to do:")
    expect(page.get_by_role("heading", level=1)).to_contain_text("failed")
    expect(page.get_by_label("Python packages")).to_have_value("no-such-package-of-glovebox")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("What to do:")
    expect(page.get_by_role("region", name="Lines of the build")).to_contain_text("resolving no-such-package-of-glovebox")


def test_a_new_session_is_awaited_without_script(browser, server, package):
    page = visit(browser, server, java_script_enabled=False)
    sign_in(page)
    ask_for_packages(page, package)
    page.wait_for_url(re.compile("/page/sessions/[0-9a-z]+$"), timeout=120_000)
    server.glovebox("session", "kill", page.url.rsplit("/", 1)[1])
    page.context.close()


def test_a_terminal_is_used_by_the_keyboard(page, session):
    open_terminal(page, session)
    page.keyboard.type("echo $((6 * 7)); stty size; tput setaf 3; printf '\\033[38;2;1;2;3mred\\033[0m\\n'\n")
    expect(screen(page)).to_contain_text("42")
    columns = page.evaluate("document.querySelector('.xterm-rows').childElementCount")
    expect(screen(page)).to_contain_text(re.compile(rf"\b{columns} \d+"))  # the size of the screen
    shot(page, "terminal")
    page.keyboard.type("ech")
    page.keyboard.press("Tab")  # it goes to the shell
    expect(page.get_by_role("textbox", name="Terminal")).to_be_focused()
    page.keyboard.press("Shift+F6")
    expect(page.get_by_role("button", name="End this terminal")).to_be_focused()


def test_a_terminal_goes_on_and_is_ended(page, session):
    open_terminal(page, session)
    page.keyboard.type("sleep 1; echo la''ter\n")
    expect(screen(page)).to_contain_text("echo la''ter")  # the keys have come
    address = page.url
    page.goto("/page/runs")
    page.goto(address)
    expect(screen(page)).to_contain_text("later")  # what it wrote before, too
    page.context.set_offline(True)
    page.evaluate("performance.clearResourceTimings()")
    page.context.set_offline(False)
    page.get_by_role("textbox", name="Terminal").focus()
    page.keyboard.type("yes | head -c 20000000; echo en''ough\n")
    expect(screen(page)).to_contain_text("enough", timeout=120_000)
    page.get_by_role("button", name="End this terminal").click()
    page.goto(address)
    expect(page.get_by_text("It has ended")).to_be_visible()


def test_what_a_terminal_writes_reaches_nothing_else(page, session):
    """Titles, the clipboard, links, sizes and markup are escape sequences that do nothing here."""
    open_terminal(page, session)
    title, address = page.title(), page.url
    rows = page.evaluate("document.querySelector('.xterm-rows').childElementCount")
    for sequence in (r"\033]0;evil\007", r"\033]52;c;ZXZpbA==\007", r"\033[8;2;2t", r"\033[3;0;0t", r"\033]8;;javascript:alert(1)\007link\033]8;;\007", HOSTILE):
        page.keyboard.type(f"printf '{sequence}'\n")
    page.keyboard.type("echo do''ne\n")
    expect(screen(page)).to_contain_text("done")
    page.locator(".xterm-rows").get_by_text("link", exact=False).last.click(force=True)
    page.wait_for_timeout(200)
    assert page.title() == title and page.url == address
    assert page.evaluate("document.querySelector('.xterm-rows').childElementCount") == rows
    assert page.locator("img[src=x]").count() == 0
    assert len(page.context.pages) == 1


def test_code_has_rich_results(page, session):
    page.goto(f"/page/sessions/{session}/code")
    results = page.get_by_role("region", name="Results")

    def run(code):
        page.get_by_role("textbox", name="Code").focus()
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        page.keyboard.insert_text(code)
        page.keyboard.press("Control+Enter")

    run("x = 6\nprint('printed', x)\nx * 7")
    expect(results).to_contain_text("printed 6")
    expect(results).to_contain_text("42")
    run("class H:\n    def _repr_html_(self): return '<b>bold</b><script>parent.document.title = 1</script>'\nH()")
    expect(page.frame_locator("#results iframe").get_by_text("bold")).to_be_visible()
    run("class S:\n    def _repr_svg_(self): return '<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><script>alert(1)</script></svg>'\nS()")
    expect(results.locator("img.picture")).to_have_js_property("naturalWidth", 9)
    run(f"class P:\n    def _repr_pdf_(self): return {pdf()!r}\nP()")
    results.get_by_text("Show the PDF of the result").click()
    wait_for_red(page, results.locator("details.pdf iframe"))
    run("def f():\n    raise ValueError('" + HOSTILE + "')\nf()")
    expect(results.get_by_role("alert")).to_contain_text(HOSTILE)
    run("import time\nprint('begun')\ntime.sleep(600)")
    expect(results).to_contain_text("begun")
    page.get_by_role("button", name="Interrupt").click()
    expect(results).to_contain_text("KeyboardInterrupt")
    shot(page, "code")
    page.get_by_role("combobox", name="A new context in").select_option("bash")
    page.get_by_role("button", name="Start it").click()
    expect(page.get_by_role("option", name=re.compile("^bash \\w"))).to_have_attribute("selected", "")
    run("echo from-$BASH_VERSINFO")
    expect(results).to_contain_text(re.compile(r"from-\d"))
    page.get_by_role("button", name="Restart").click()
    page.get_by_role("button", name="End the context").click()
    expect(page.get_by_role("option", name=re.compile("^bash \\w"))).to_have_count(0)


def test_code_runs_without_script(browser, server, session):
    page = visit(browser, server, java_script_enabled=False)
    sign_in(page)
    page.goto(f"/page/sessions/{session}/code")
    page.get_by_role("textbox", name="Code").fill("print('one')\nprint('two')\n3 * 3")
    page.get_by_role("button", name="Run the code").click()
    expect(page.get_by_role("region", name="Results")).to_contain_text("one\ntwo")
    expect(page.get_by_role("region", name="Results")).to_contain_text("9")
    page.context.close()


def test_cells_at_work_are_on_the_page_of_the_system(page, server, session):
    page.goto("/page/system")
    cells = page.get_by_role("region", name="Cells at work")
    expect(cells.get_by_role("row", name=session)).to_contain_text("session")
    expect(page.get_by_role("region", name="Storage")).to_contain_text("journal")
    task = {"name": "at-work", "code": "import time\ntime.sleep(600)"}
    run = server.ask("POST", "/v1/runs", {"task": task})["id"]
    row = cells.get_by_role("row", name="at-work")
    expect(row).to_contain_text("MiB", timeout=60_000)  # without loading the page again
    shot(page, "system-cells-light")
    row.get_by_role("link", name="at-work").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("at-work")
    page.goto("/page/system")
    expect(row).to_be_visible()
    server.glovebox("cancel", run)
    expect(row).to_have_count(0, timeout=60_000)


def test_files_are_listed_sent_shown_and_removed(page, session, tmp_path):
    page.goto(f"/page/sessions/{session}/files?path=/work")
    page.get_by_label("Name").fill("box")
    page.get_by_role("button", name="Make it").click()
    page.get_by_role("link", name="box/").click()
    (tmp_path / "a.txt").write_text("first\n")
    (tmp_path / "b.txt").write_text("second\n")
    page.get_by_label("Files, chosen or dropped here").set_input_files([tmp_path / "a.txt", tmp_path / "b.txt"])
    expect(page.get_by_role("link", name="b.txt", exact=True)).to_be_visible()
    page.evaluate("""() => {
      const data = new DataTransfer();
      data.items.add(new File(["dropped"], "c.txt"));
      for (const kind of ["dragover", "drop"]) document.getElementById("upload").dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    }""")
    expect(page.get_by_role("link", name="c.txt", exact=True)).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download a.txt").click()
    assert download.value.path().read_text() == "first\n"
    page.get_by_role("link", name="b.txt", exact=True).click()
    expect(page.get_by_role("region", name="Content")).to_contain_text("second")
    page.get_by_role("link", name="Back to").click()
    page.get_by_text("Remove…").first.click()
    page.get_by_role("button", name="Remove a.txt").click()
    expect(page.get_by_role("link", name="a.txt", exact=True)).to_have_count(0)
    shot(page, "files")


def test_a_large_file_of_a_session_continues(page, session, tmp_path):
    asked = break_parts(page)
    page.goto(f"/page/sessions/{session}/files?path=/work")
    (tmp_path / "large.bin").write_bytes(LARGE)
    (tmp_path / "small.txt").write_text("small")
    page.get_by_label("Files, chosen or dropped here").set_input_files([tmp_path / "large.bin", tmp_path / "small.txt"])
    expect(page.get_by_role("link", name="small.txt", exact=True)).to_be_visible(timeout=60_000)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download large.bin").click()
    assert download.value.path().read_bytes() == LARGE
    assert asked == BROKEN


def test_ports_are_opened_with_a_link(page, server, session):
    page.goto("/page/sessions/" + session)
    page.get_by_label("Port of a server in the session").fill("8000")
    page.get_by_role("button", name="Open it").click()
    link = page.get_by_role("link", name="Port 8000").get_attribute("href")
    assert link.startswith(f"http://8000-{session}.localhost:") and "glovebox_port_token=" in link
    page.get_by_role("button", name="Close port 8000").click()
    expect(page.get_by_role("link", name="Port 8000")).to_have_count(0)


def test_a_session_is_forked_paused_and_resumed(page, session):
    page.goto("/page/sessions/" + session)
    page.get_by_role("button", name="Fork").click()
    expect(page.get_by_text("Forked from")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("paused", timeout=60_000)
    page.get_by_role("link", name="Files").click()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("running", timeout=60_000)
    page.get_by_text("Kill…").click()
    page.get_by_role("button", name="Kill the session").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("ended", timeout=60_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_a_session_are_accessible(browser, server, session, scheme):
    page = visit(browser, server, color_scheme=scheme, bypass_csp=True)  # axe is a script of its own
    sign_in(page)
    waiting = server.run("asks", "1", wait=False, approval={})  # the bar says how many wait
    ask_for_packages(page, "no-such-package-of-glovebox")
    expect(page.get_by_role("alert")).to_be_visible(timeout=120_000)
    failed = page.url
    open_terminal(page, session)
    terminal, found = page.url, {}
    for name, path in {"session-new-failed": failed, "session": f"/page/sessions/{session}", "session-terminal": terminal, "session-code": f"/page/sessions/{session}/code", "session-files": f"/page/sessions/{session}/files?path=/"}.items():
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(path)
        page.wait_for_timeout(500)
        shot(page, f"{name}-{scheme}")
        if violations := Axe().run(page).response["violations"]:
            found[name] = [(v["id"], [n["target"] for n in v["nodes"]]) for v in violations]
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_timeout(200)
        if page.evaluate("document.documentElement.scrollWidth") > 390:
            found[name + " on a phone"] = page.evaluate("document.documentElement.scrollWidth")
        shot(page, f"{name}-{scheme}-phone")
    expect(page.get_by_role("link", name="Approvals")).to_contain_text("1 wait")
    assert found == {} and page.wrong == []
    server.glovebox("cancel", waiting)
    page.context.close()
