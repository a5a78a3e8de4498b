"""What people do on the page, by roles and names, in a real browser."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import HOSTILE, TOKEN, shot, sign_in, visit
from playwright.sync_api import expect


def test_signing_in_and_out(browser, server, runs):
    page = visit(browser, server)
    page.goto("/page/runs/" + runs["good"])
    page.get_by_label("Token of the server").fill("a wrong one")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not the token")
    page.get_by_label("Token of the server").fill(TOKEN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("good")
    assert TOKEN not in page.url and page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Sign out").click()
    page.goto("/page/runs")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_glovebox_open_signs_in(browser, server, runs):
    address = server.glovebox("open", "--no-browser", runs["bad"]).strip()
    assert TOKEN not in address
    page = visit(browser, server)
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_contain_text("bad")
    assert "code=" not in page.url
    other = visit(browser, server)
    other.goto(address)  # a second browser is not let in by the same address
    expect(other.get_by_role("alert")).to_contain_text("used already")


def test_the_list_filters_and_its_address_says_how(page, runs):
    page.goto("/page/runs")
    page.get_by_label("Status").select_option("failed")
    page.get_by_label("Task").fill("bad")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("row")).to_have_count(2)
    assert "status=failed" in page.url and "task=bad" in page.url
    page.reload()
    expect(page.get_by_label("Status")).to_have_value("failed")
    page.get_by_role("link", name="bad", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("failed")


def test_the_list_finds_a_word_of_an_error(page, runs):
    page.goto("/page/runs")
    page.get_by_label("Text").fill("DIVISION BY")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("link", name="bad", exact=True).first).to_be_visible()
    expect(page.get_by_role("link", name="good", exact=True)).to_have_count(0)
    page.get_by_label("Text").fill("nothing has this")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No run is like that")).to_be_visible()


def test_labels_are_given_shown_and_looked_for(page, server, runs):
    page.goto("/page/tasks/desk.price/start")
    page.get_by_label("count").fill("4")
    page.get_by_text("Labels", exact=True).click()
    page.get_by_label("One NAME=VALUE a line").fill("customer=ada\nwhy=a first try")
    shot(page, "start-labels-light")
    page.get_by_role("button", name="Start").click()
    labels = page.get_by_role("list", name="Labels")
    expect(labels.get_by_role("listitem")).to_have_text(["customer=ada", "why=a first try"])
    run = page.url.rsplit("/", 1)[1]
    labels.get_by_role("link", name="customer=ada").click()
    assert page.url.endswith("/page/runs?label=customer%3Dada")
    expect(page.get_by_role("row")).to_have_count(2)
    page.get_by_label("and label").fill("why=another")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No run is like that")).to_be_visible()
    page.get_by_label("and label").fill("no label")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("main")).to_contain_text("expected NAME=VALUE")
    assert server.ask("GET", "/v1/runs?label=customer%3Dada&label=why%3Da%20first%20try")["runs"][0]["id"] == run


def test_attempts_are_told_apart_and_compared(page, runs):
    page.goto("/page/runs/" + runs["tries"])
    expect(page.get_by_role("row", name="Compare with 1")).to_contain_text("failed")
    page.get_by_role("link", name="Compare with 1").click()
    expect(page.get_by_role("region", name="Attempt 2")).to_contain_text("ZeroDivisionError")
    expect(page.get_by_text("The same.", exact=True)).to_be_visible()


def test_the_turns_of_an_agent_and_what_they_cost(page, runs):
    page.goto("/page/runs/" + runs["agent"])
    cost = page.get_by_role("region", name="What it took")
    expect(cost.get_by_role("row", name="In all")).to_contain_text("6 000")
    expect(cost.get_by_role("row", name="ask model")).to_contain_text("$0.0189")
    expect(page.get_by_role("region", name="How it ran")).to_contain_text("Tools")
    page.get_by_role("link", name="Turns of the model").click()
    first = page.get_by_role("region", name="Turn 1")
    expect(first).to_contain_text("First I look.")
    expect(first.get_by_role("code")).to_contain_text("price('tea')")
    second = page.get_by_role("region", name="Turn 3")
    second.get_by_text("user").click()
    expect(second).to_contain_text("ZeroDivisionError")
    expect(second).to_contain_text("<script>alert(1)</script>")
    second.get_by_role("link", name="the call of turn 3").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("ask")


def test_a_failed_run_says_why_and_where(page, runs):
    page.goto("/page/runs/" + runs["bad"])
    why = page.get_by_role("region", name="Why it failed")
    expect(why).to_contain_text("ZeroDivisionError")
    expect(why).to_contain_text("What to do")
    expect(page.get_by_role("row", name="return 1")).to_contain_text("ZeroDivisionError")
    expect(page.get_by_role("region", name="Lines of the log")).to_contain_text("first")
    expect(page.locator("time").first).to_have_attribute("title", re.compile("UTC"))


def test_values_are_typed(page, runs):
    page.goto("/page/runs/" + runs["good"])
    expect(page.get_by_role("region", name="Inputs")).to_contain_text("n int")
    rows = page.get_by_role("region", name="Outputs").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("tea")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download result").click()
    assert download.value.suggested_filename == "result.json"


def test_changes_are_seen_without_loading_again(page, server):
    run = server.run("slow", "import asyncio\nprint('begun')\nawait asyncio.sleep(3)\nprint('ended')\n42", wait=False)
    page.goto("/page/runs/" + run)
    expect(page.get_by_role("heading", level=1)).to_contain_text("running")
    page.evaluate("window.same = true")
    expect(page.get_by_role("heading", level=1)).to_contain_text("succeeded", timeout=60_000)
    expect(page.get_by_role("region", name="Outputs")).to_contain_text("42")
    expect(page.get_by_role("region", name="Lines of the log")).to_contain_text("ended")
    assert page.evaluate("window.same")  # the page was not loaded again


def test_the_list_shows_new_runs(page, server, runs):
    page.goto("/page/runs")
    expect(page.get_by_role("link", name="late", exact=True)).to_have_count(0)
    page.evaluate("window.same = true")
    first = page.get_by_role("row").nth(1).inner_text()
    server.run("late", "1")
    news = page.get_by_role("button", name="1 new run")
    expect(news).to_be_visible(timeout=60_000)
    assert page.get_by_role("row").nth(1).inner_text() == first  # nothing moved
    news.click()
    expect(page.get_by_role("link", name="late", exact=True)).to_be_focused()
    expect(news).to_be_hidden()
    assert page.evaluate("window.same")


def test_a_phone_shows_whole_rows(browser, server, runs):
    page = visit(browser, server, viewport={"width": 390, "height": 844})
    sign_in(page)
    row = page.get_by_role("row").filter(has_text="ZeroDivisionError: division by zero").first
    for part in (row.get_by_role("link").first, row.locator("time"), row.get_by_text("ZeroDivisionError")):
        expect(part).to_be_visible()
        box = part.bounding_box()
        assert box["x"] + box["width"] <= 390
    page.get_by_text("More filters").click()
    page.get_by_label("Kind").select_option("orchestrator")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_label("Kind")).to_have_value("orchestrator")  # what is in use is open
    page.goto("/page/runs/" + runs["agent"])
    bar = page.get_by_role("row").filter(has_text="ask").get_by_role("img").first.bounding_box()
    assert bar["width"] > 150 and bar["x"] + bar["width"] <= 390
    page.context.close()


def test_a_log_is_followed(page, server):
    run = server.run("talks", "import asyncio\nfor i in range(8):\n    print('line', i)\n    await asyncio.sleep(0.5)\n1", wait=False)
    page.goto(f"/page/runs/{run}/log")
    expect(page.get_by_role("region", name="Lines of the log")).to_contain_text("line 7", timeout=60_000)
    entries = [e.inner_text() for e in page.locator(".log .text").all()]
    assert entries == [f"line {n}" for n in range(8)]


def test_a_long_log_has_windows(page, server):
    run = server.run("long", "for n in range(30):\n    print('\\n'.join(f'entry {n} line {i}' for i in range(1000)))\n1")
    page.goto(f"/page/runs/{run}/log")
    expect(page.get_by_role("listitem")).to_have_count(500)
    page.get_by_role("link", name="Lines after").click()
    expect(page.get_by_role("listitem").first).to_contain_text("entry 0 line 500")
    page.get_by_label("From line").fill("20001")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("listitem").first).to_contain_text("entry 20 line 0")
    page.get_by_role("link", name="Lines before").click()
    expect(page.get_by_role("listitem").last).to_contain_text("entry 19 line 999")
    page.get_by_label("From line").fill("")
    page.get_by_label("Text").fill("entry 17 line 5")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("listitem")).to_have_count(111)
    page.get_by_role("link", name="17006").click()
    expect(page.get_by_role("listitem").first).to_contain_text("entry 17 line 5")
    page.get_by_role("link", name="The end").click()
    expect(page.get_by_role("listitem").last).to_contain_text("entry 29 line 999")
    page.get_by_role("region", name="Lines of the log").focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("listitem").first).to_be_in_viewport()


def test_a_run_is_canceled(page, server):
    run = server.run("endless", "import asyncio\nawait asyncio.sleep(1000)\n1", wait=False)
    page.goto("/page/runs/" + run)
    page.get_by_text("Cancel…").click()
    page.get_by_role("button", name="Cancel the run").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("canceled", timeout=60_000)
    assert server.ask("GET", "/v1/runs/" + run)["status"] == "canceled"


def test_a_run_is_run_again_with_other_inputs_and_code(page, server, runs):
    page.goto("/page/runs/" + runs["bad"])
    page.get_by_role("link", name="Run again…").click()
    expect(page.get_by_label("n int")).to_have_value("0")
    page.get_by_label("n int").fill("4")
    write(page, "half(m)")
    expect(page.locator("#problems")).to_contain_text("m", timeout=60_000)  # the checker, while somebody writes
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    write(page, "def half(n):\nreturn 1 / n")  # the editor indents
    page.keyboard.press("Enter")
    page.keyboard.press("Backspace")
    page.keyboard.insert_text("\nhalf(n)")
    expect(page.locator("#problems li")).to_have_count(0)
    expect(page.locator(".cm-lint-marker-error")).to_have_count(0)
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("succeeded", timeout=60_000)
    expect(page.get_by_role("region", name="Outputs")).to_contain_text("0.25")
    page.get_by_role("link", name="Compare with the run before").click()
    expect(page.get_by_role("row", name=re.compile("^n differs"))).to_be_visible()


def write(page, code):
    """Replaces what is in the editor of code, by the keyboard."""
    # Not the text field that the editor replaces: hidden before it is focused, it would leave the keys to nobody.
    page.locator(".cm-editor").get_by_role("textbox", name="Code").focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.type(code)


def test_a_deployed_task_is_started(page, server, runs):
    page.goto("/page/tasks")
    page.get_by_role("link", name="desk.price", exact=True).click()
    page.get_by_role("link", name="Start…").click()
    expect(page.get_by_label("factor float")).to_have_value("1.5")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("a value is needed")).to_be_visible()
    page.get_by_label("count int").fill("4")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("region", name="Outputs")).to_contain_text("6", timeout=60_000)


def test_a_schedule_is_run_now_and_paused(page, server, runs):
    page.goto("/page/schedules")
    page.get_by_role("link", name="desk.nightly").click()
    expect(page.get_by_role("list")).to_contain_text("02:00")
    with page.expect_navigation():  # which a reload would meet on its way
        page.get_by_role("button", name="Run now").click()
    for _ in range(100):  # a server takes starts up within a second
        page.reload()
        if page.get_by_role("link", name=re.compile("^run-")).count():
            break
        page.wait_for_timeout(300)
    page.get_by_role("link", name=re.compile("^run-")).click()
    expect(page.get_by_role("region", name="Outputs")).to_contain_text("4.5", timeout=60_000)
    page.get_by_role("link", name="desk.nightly").click()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("paused")


def test_a_notification_is_seen_and_delivered_again(page, server):
    run = server.run("tells", "1 + 1", notify=[{"url": "https://10.0.0.1/in", "secret": "missing"}])
    page.goto("/page/runs/" + run)
    section = page.get_by_role("region", name="Notifications")
    expect(section).to_contain_text("https://10.0.0.1/in")
    section.get_by_role("button", name="Deliver again").click()
    expect(page.get_by_role("region", name="Notifications")).to_be_visible()
    page.goto("/page/notifications?state=delivered")
    expect(page.get_by_text(run)).to_have_count(0)
    page.get_by_label("State").select_option("any")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name=run).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("tells")


def test_a_hook_is_paused_and_resumed(page, server, runs):
    page.goto("/page/schedules")
    page.get_by_role("link", name="desk.push").click()
    expect(page.get_by_role("region", name="Last calls")).to_contain_text("None yet")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("paused")
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("paused")


def test_versions_are_compared_and_made_current(page, server, runs):
    page.goto("/page/tasks/desk.price")
    expect(page.get_by_role("heading", level=1)).to_contain_text("version 2")
    page.get_by_role("link", name="Compare").click()
    since = page.get_by_role("region", name="Since version 1")
    expect(since).to_contain_text("The code is the same.")
    expect(since.get_by_role("row").filter(has_text="1.5")).to_be_visible()
    page.get_by_text("Make current…").click()
    page.get_by_role("button", name="Make version 1 current").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("version 1, current")
    server.glovebox("tasks", "rollback", "desk.price", "2")


def test_all_of_it_works_without_script(browser, server, runs):
    page = visit(browser, server, java_script_enabled=False)
    sign_in(page)
    page.goto("/page/runs/" + runs["bad"])
    expect(page.get_by_role("region", name="Why it failed")).to_be_visible()
    expect(page.locator("time").first).to_contain_text("UTC")
    page.get_by_role("link", name="Run again…").click()
    page.get_by_label("n int").fill("2")
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("bad")


def test_hostile_text_is_text(page, runs):
    for path in ("/page/runs", "/page/runs/" + runs["hostile"], f"/page/runs/{runs['hostile']}/log", f"/page/runs/{runs['hostile']}/rerun"):
        page.goto(path)
        page.wait_for_timeout(200)
        assert page.locator("img[src=x]").count() == 0
    page.goto("/page/runs/" + runs["hostile"])
    expect(page.get_by_role("region", name="Why it failed")).to_contain_text("<script>alert(1)</script>")
    assert HOSTILE not in page.content()


def test_the_keyboard_reaches_everything(page, runs):
    page.goto("/page/runs")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    names = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        names.add(page.evaluate("(document.activeElement.name || document.activeElement.innerText || '').trim()"))
    assert {"Runs", "Tasks", "Sessions", "System", "Sign out", "status", "task", "Show", "bad"} <= names


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(browser, server, runs, scheme):
    page = visit(browser, server, color_scheme=scheme, bypass_csp=True)  # axe is a script of its own
    sign_in(page)
    bad, good = runs["bad"], runs["good"]
    paths = {
        "runs": "runs", "run": "runs/" + good, "failed": "runs/" + bad, "log": f"runs/{good}/log", "events": f"runs/{good}/events", "rerun": f"runs/{good}/rerun",
        "agent": "runs/" + runs["agent"], "turns": f"runs/{runs['agent']}/turns", "tries": "runs/" + runs["tries"], "attempts": f"compare?a={runs['tries']}&attempt-a=1&attempt-b=2",
        "compare": f"compare?a={bad}&b={good}", "tasks": "tasks", "task": "tasks/desk.price", "versions": "tasks/desk.price?before=1", "start": "tasks/desk.price/start", "form": "tasks/desk.all/start",
        "schedules": "schedules", "schedule": "schedules/desk.nightly", "hook": "hooks/desk.push", "notifications": "notifications", "sessions": "sessions", "images": "images", "system": "system", "missing": "runs/none", "sign-in": "sign-in",
    }
    found = {}
    for name, path in paths.items():
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto("/page/" + path)
        page.wait_for_timeout(100)
        shot(page, f"{name}-{scheme}")
        if violations := Axe().run(page).response["violations"]:
            found[name] = [(v["id"], [n["target"] for n in v["nodes"]]) for v in violations]
        page.set_viewport_size({"width": 390, "height": 844})
        if page.evaluate("document.documentElement.scrollWidth") > 390:
            found[name + " on a phone"] = page.evaluate("document.documentElement.scrollWidth")
        shot(page, f"{name}-{scheme}-phone")
    assert found == {} and page.wrong == []
    page.context.close()


def test_a_page_below_a_path_of_a_proxy(browser, server, runs):
    """A proxy that cuts a path off needs no setting of the server: all links are relative."""
    import http.server
    import threading
    import urllib.error
    import urllib.request

    class Proxy(http.server.BaseHTTPRequestHandler):
        def do(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
            request = urllib.request.Request(server.url + self.path.removeprefix("/inner"), data=body, method=self.command)
            for name, text in self.headers.items():
                if name.lower() in ("accept", "cookie", "content-type", "origin"):
                    request.add_header(name, text.replace(f":{self.server.server_port}", ":" + server.url.rsplit(":", 1)[1]))
            opener = urllib.request.build_opener(NoRedirect)
            try:
                answer = opener.open(request, timeout=20)
            except urllib.error.HTTPError as e:
                answer = e
            text = answer.read() if "follow" not in self.path else b""
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do

        def log_message(self, *_):
            pass

    class NoRedirect(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    page = browser.new_context(base_url=f"http://127.0.0.1:{proxy.server_port}").new_page()
    page.route("**/follow/**", lambda route: route.abort())
    page.goto("/inner/page/runs")
    page.get_by_label("Token of the server").fill(TOKEN)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="bad", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("bad")
    assert "/inner/page/runs/run-" in page.url
    proxy.shutdown()
