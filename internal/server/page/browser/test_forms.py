"""The form that starts a run, by roles and names, in a real browser."""

import hashlib
import json
import re

from conftest import BROKEN, LARGE, break_parts, shot, sign_in, visit
from playwright.sync_api import expect

ALL = "/page/tasks/desk.all/start"


def fill(page):
    page.get_by_label("day date").fill("2026-11-28")
    page.get_by_label("at datetime").fill("2026-11-28T09:30")
    page.get_by_label("Offset of at from UTC").fill("+02:00")
    page.get_by_label("pause timedelta").fill("1:30:00")
    page.get_by_label("more Any").fill('{"a": [1]}')


def group(page, name):
    return page.get_by_role("group", name=re.compile("^" + name))


def test_every_type_of_input_is_given(page, runs, tmp_path):
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "x.txt").write_text("x")
    (folder / "deep" / "y.txt").write_text("y")
    page.goto(ALL)
    fill(page)
    expect(page.get_by_label("mode str").get_by_role("option")).to_have_text(["", "fast", "slow"])
    expect(page.get_by_label("mode str")).to_have_value("fast")
    page.get_by_label("mode str").select_option("slow")
    numbers = group(page, "numbers")
    for n in ("3", "4", "5"):
        numbers.get_by_role("button", name="Add to numbers").click()
        expect(numbers.locator(".item").last.get_by_role("spinbutton")).to_be_focused()
        page.keyboard.type(n)
    numbers.get_by_role("button", name="Remove item 2 of numbers").click()
    expect(numbers.get_by_role("spinbutton")).to_have_count(2)
    group(page, "prices").get_by_role("button", name="Add to prices").click()
    group(page, "prices").get_by_label("key").fill("tea")
    group(page, "prices").get_by_label("value").fill("2.5")
    page.get_by_role("button", name="Add to pairs").click()
    group(page, "pairs").get_by_label("1 str").fill("a")
    page.get_by_label("table File").set_input_files(tmp_path / "table.csv")
    expect(page.get_by_text("8 B")).to_be_visible()
    page.get_by_label("folder Optional[Dir]").set_input_files(folder)
    expect(page.get_by_text("2 B, 2 files")).to_be_visible()
    shot(page, "form-filled")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("succeeded", timeout=60_000)
    outputs = page.get_by_role("region", name="Outputs")
    for text in ("2026-11-28", "slow", "09:30:00+02:00", "1:30:00", "tea"):
        expect(outputs).to_contain_text(text)
    page.get_by_role("link", name="Run again…").click()  # the form has what was given
    expect(group(page, "numbers").get_by_role("spinbutton").nth(1)).to_have_value("5")
    expect(page.get_by_text("2 B, 2 files")).to_be_visible()
    expect(page.get_by_label("Offset of at from UTC")).to_have_value("+02:00")


def test_problems_stand_beside_their_fields_and_values_stay(page, runs, tmp_path):
    page.goto(ALL)
    fill(page)
    page.get_by_role("button", name="Add to numbers").click()
    page.get_by_label("pause timedelta").fill("soon")
    page.get_by_role("button", name="Start").click()
    pause = page.get_by_label("pause timedelta")
    expect(pause).to_have_value("soon")
    expect(pause).to_have_attribute("aria-invalid", "true")
    expect(page.locator(f"[id='{pause.get_attribute('aria-describedby').split()[0]}']")).to_contain_text("timedelta")
    expect(page.get_by_label("day date")).to_have_value("2026-11-28")
    expect(group(page, "numbers").get_by_text("a value is needed")).to_be_visible()
    expect(page.get_by_label("table File")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="numbers as JSON").click()  # a row is empty, so it stays a row
    group(page, "numbers").get_by_role("spinbutton").fill("7")
    page.get_by_role("button", name="numbers as JSON").click()
    expect(page.get_by_label("numbers list[int]")).to_have_value("[7]")
    page.get_by_label("numbers list[int]").fill("[7, 8]")
    page.get_by_role("button", name="Fields for numbers").click()
    expect(group(page, "numbers").get_by_role("spinbutton")).to_have_count(2)


DROP = """async ([on, names]) => {
  const data = new DataTransfer();
  for (const name of names) data.items.add(new File(["hello"], name));
  const box = document.getElementById(on).closest(".drop");
  for (const kind of ["dragover", "drop"]) box.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_files_are_dropped_and_taken_away(page, runs):
    page.goto(ALL)
    page.evaluate(DROP, ["in-table", ["a.txt", "b.txt"]])
    expect(page.get_by_role("alert")).to_contain_text("one file")
    page.evaluate(DROP, ["in-table", ["a.txt"]])
    expect(page.get_by_text("5 B")).to_be_visible()
    page.get_by_role("button", name="Take a.txt away").click()
    expect(page.get_by_text("5 B")).to_have_count(0)


def test_an_upload_is_stopped_and_a_large_one_refused(page, runs, tmp_path):
    page.route("**/upload/input", lambda route: None)  # it never ends
    page.goto(ALL)
    (tmp_path / "slow").write_bytes(b"x" * 1000)
    page.get_by_label("table File").set_input_files(tmp_path / "slow")
    page.get_by_role("button", name="Stop the upload").first.click()
    expect(page.get_by_role("alert")).to_contain_text("stopped")
    page.evaluate("document.getElementById('start').dataset.max = 10")
    page.get_by_label("table File").set_input_files(tmp_path / "slow")
    expect(page.get_by_role("alert")).to_contain_text("glovebox start")


def test_a_large_file_continues_where_the_connection_broke(page, runs, tmp_path):
    asked = break_parts(page)
    page.goto(ALL)
    (tmp_path / "large.bin").write_bytes(LARGE)
    page.get_by_label("table File").set_input_files(tmp_path / "large.bin")
    expect(page.get_by_text("it will continue")).to_be_visible()
    expect(page.get_by_role("button", name="Take large.bin away")).to_be_visible(timeout=60_000)
    assert json.loads(page.locator("input[name=in-table]").input_value()) == {"path": "large.bin", "size": len(LARGE), "sha256": hashlib.sha256(LARGE).hexdigest()}
    assert asked == BROKEN


def test_the_form_works_without_script(browser, server, runs, tmp_path):
    page = visit(browser, server, java_script_enabled=False)
    sign_in(page)
    page.goto(ALL)
    fill(page)
    page.get_by_role("button", name="Add to numbers").click()
    group(page, "numbers").get_by_role("spinbutton").fill("3")
    (tmp_path / "t.csv").write_text("a\n")
    page.get_by_label("table File").set_input_files(tmp_path / "t.csv")
    page.get_by_label("pause timedelta").fill("soon")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("t.csv")).to_be_visible()  # it need not be sent again
    page.get_by_label("pause timedelta").fill("PT90S")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("desk.all")
    page.context.close()


def test_records_are_fields(page, runs):
    page.goto(ALL)
    kind = page.get_by_label("Kind of more")
    page.get_by_label("more Any").fill('[{"name": "tea", "price": 2.5, "tags": null}]')
    kind.select_option("list")
    more = group(page, "more")
    expect(more.get_by_label("key")).to_have_count(3)
    expect(more.get_by_label("value Any").nth(1)).to_have_value("2.5")
    more.get_by_role("button", name="Add to more").click()  # one more like the first
    expect(more.get_by_label("key")).to_have_count(6)
    expect(more.get_by_label("key").nth(4)).to_have_value("price")
    more.get_by_label("value Any").nth(3).fill("milk")
    more.get_by_label("value Any").nth(4).fill("1")
    more.get_by_label("Kind of value").nth(5).select_option("bool")
    expect(more.get_by_label("value Any").nth(5)).to_have_value("false")
    shot(page, "form-records")
    more.get_by_role("button", name="more as JSON").last.click()
    expect(page.get_by_label("more Any")).to_have_value(re.compile(r'"milk",\s*"price": ?1,\s*"tags": ?false'))


def test_the_form_works_by_the_keyboard(page, runs):
    page.goto("/page/tasks/desk.price/start")
    page.get_by_label("count int").focus()
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Outputs")).to_contain_text("6", timeout=60_000)
    page.get_by_role("link", name="Run again…").click()
    expect(page.locator(".cm-content")).to_be_visible()
    page.get_by_role("textbox", name="Code").focus()
    page.keyboard.press("Tab")  # the editor does not hold the focus
    expect(page.get_by_label("use nothing of earlier runs")).to_be_focused()


def test_libraries_come_only_with_pages_that_use_them(page, runs):
    seen = []
    page.on("request", lambda r: seen.append(r.url))
    for path, want in {"/page/runs": False, ALL: False, f"/page/runs/{runs['bad']}/rerun": True}.items():
        seen.clear()
        page.goto(path)
        page.wait_for_load_state("load")
        assert any("codemirror" in url for url in seen) == want, path
        if not want:
            sizes = page.evaluate("[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')].map((e) => e.encodedBodySize)")
            assert 0 < sum(sizes) < 60_000, path
