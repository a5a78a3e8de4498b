"""What people decide on the page, by roles and names, in a real browser."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import HOSTILE, Server, shot, sign_in, visit
from playwright.sync_api import expect

CALLS = "try:\n    said = pay(40.0, to)\nexcept PermissionError as e:\n    said = 'refused: ' + str(e)\nsaid"


def asking(server: Server, to: str = "shop") -> str:
    """Starts an order that waits until somebody lets it pay, and returns its id."""
    pay = {
        "name": "pay", "kind": "orchestrator", "code": "f'paid {amount} to {to}'", "doc": "Moves money.", "approval": {},
        "signature": {"inputs": [{"name": "amount", "type": "float"}, {"name": "to", "type": "str"}], "outputs": [{"name": "result", "type": "str"}]},
    }
    order = {
        "name": "order", "kind": "orchestrator", "code": CALLS, "orchestrator": {"dialect": "extended", "tools": [pay]},
        "signature": {"inputs": [{"name": "to", "type": "str"}], "outputs": [{"name": "result", "type": "str"}]},
    }
    run = server.ask("POST", "/v1/runs", {"task": order, "inputs": {"to": to}})["id"]
    while not server.ask("GET", f"/v1/approvals?root={run}")["approvals"]:
        pass
    return run


def said(server: Server, run: str) -> str:
    return server.ask("GET", "/v1/runs/" + server.wait(run))["outputs"]["result"]


def decide(page, run: str) -> None:
    """Goes from the page of a run to the decision that it waits for."""
    page.goto("/page/runs/" + run)
    page.get_by_role("link", name="Decide").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("pay")


def test_a_call_is_approved_with_other_arguments(page, server, runs):
    run = asking(server)
    decide(page, run)
    expect(page.get_by_text("Line 2 of the code calls it.")).to_be_visible()
    page.get_by_text("Change the arguments").click()
    page.get_by_label("amount float").fill("much")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_label("amount float")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("amount float").fill("12.5")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("by Ada")).to_be_visible()
    assert said(server, run) == "paid 12.5 to shop"


def test_a_call_is_refused_and_its_code_hears_why(page, server, runs):
    run = asking(server, HOSTILE)
    page.goto("/page/approvals")
    expect(page.get_by_role("navigation").get_by_role("link", name="Approvals")).to_contain_text("1")
    page.get_by_role("row").filter(has_text="pay").get_by_role("link", name="pay").click()
    page.get_by_label("Reason").fill("not this month")
    page.get_by_role("button", name="Refuse").click()
    expect(page.get_by_text("refused")).to_be_visible()
    assert said(server, run).startswith("refused: ") and "not this month" in said(server, run)
    page.goto("/page/approvals?state=decided")
    expect(page.get_by_role("row").filter(has_text="refused")).to_have_count(1)


def test_the_keyboard_decides(page, server, runs):
    run = asking(server)
    decide(page, run)
    page.get_by_label("Your name").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Approve")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("approved")).to_be_visible()
    assert said(server, run) == "paid 40.0 to shop"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_decisions_are_accessible(browser, server, runs, scheme):
    run = asking(server, HOSTILE)
    page = visit(browser, server, color_scheme=scheme, bypass_csp=True)  # axe is a script of its own
    sign_in(page)
    for name, width in ("desk", 1200), ("phone", 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto("/page/approvals")
        assert Axe().run(page).response["violations"] == []
        decide(page, run)
        page.get_by_text("Change the arguments").click()
        assert Axe().run(page).response["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        shot(page, f"approval-{name}-{scheme}")
    assert page.wrong == []
    page.context.close()
    server.glovebox("cancel", run)


def test_a_value_is_sent_to_code_that_waits(page, server, runs):
    answer = {
        "name": "answer", "kind": "signal", "doc": "What the customer says.",
        "signature": {"inputs": [{"name": "question", "type": "str"}], "outputs": [{"name": "result", "type": "int"}]},
    }
    ask = {
        "name": "ask", "kind": "orchestrator", "code": "str(answer(to) + 1)", "orchestrator": {"tools": [answer]},
        "signature": {"inputs": [{"name": "to", "type": "str"}], "outputs": [{"name": "result", "type": "str"}]},
    }
    run = server.ask("POST", "/v1/runs", {"task": ask, "inputs": {"to": HOSTILE}})["id"]
    while not server.ask("GET", f"/v1/approvals?root={run}")["approvals"]:
        pass
    page.goto("/page/runs/" + run)
    page.get_by_role("link", name="Decide").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("answer")
    expect(page.get_by_role("region", name="Arguments")).to_contain_text(HOSTILE[:-1])
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_label("result int")).to_have_attribute("aria-invalid", "true")  # there is no value yet
    page.get_by_label("result int").fill("41")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="What was sent")).to_be_visible()
    assert said(server, run) == "42"
