"""Reports of tasks, on an engine of this process and on a server."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import cast

import pytest

import glovebox
import glovebox.report
from glovebox import errors
from glovebox.report import Report

env = glovebox.TaskEnvironment(name="reports")
flushed, go_on = threading.Event(), threading.Event()


pytestmark = pytest.mark.usefixtures("each_engine")


@env.task(report=True)
async def tabs(x: int) -> int:
    await glovebox.report.log.aio(f"<p>x is {x}</p>")
    glovebox.report.get_tab("<Curves>").log("<svg></svg>")
    await glovebox.report.flush.aio()
    await glovebox.report.log.aio("<p>more</p>", do_flush=True)
    return x + 1


@env.task(report=True)
def whole() -> int:
    glovebox.report.log("gone")
    glovebox.report.replace("<!DOCTYPE html><p>a page of its own")
    return 1


@env.task(report=True)
def fails() -> int:
    glovebox.report.log("before the end")
    raise ValueError("no")


@env.task(report=True)
def large() -> int:
    glovebox.report.log("kept")
    glovebox.report.log("x" * (9 << 20))
    return 1


@env.task(report=True, cache="auto")
def cached(x: int) -> int:
    glovebox.report.log("made once")
    return x


@env.task(report=True)
def waits() -> int:
    glovebox.report.log("so far", do_flush=True)
    flushed.set()
    go_on.wait()
    glovebox.report.log("and on")
    return 1


@env.task
def without() -> int:
    glovebox.report.log("x", do_flush=True)
    return 1


@env.task(report=True)
def outer() -> int:
    glovebox.report.log("outside")
    return whole() + without()


def test_a_report_has_tabs_whose_names_are_text() -> None:
    run = glovebox.start(tabs, 1)
    assert run.outputs()[0] == 2
    page = run.get_report()
    assert "<p>x is 1</p>\n<p>more</p>" in page and "<svg></svg>" in page and "&lt;Curves&gt;" in page
    assert "<script" not in page
    assert run.info()["report"]["size"] == len(page.encode())


def test_one_tab_has_a_head_if_it_was_named() -> None:
    named, plain = Report("r"), Report("r")
    named.get_tab("Rankings").log("x")
    plain.get_tab("main").log("x")
    assert ">Rankings</label>" in named.get_final_report() and "<label" not in plain.get_final_report()


def test_one_tab_can_be_the_page() -> None:
    run = glovebox.start(whole)
    run.wait()
    assert run.get_report() == "<!DOCTYPE html><p>a page of its own"


def test_the_report_of_a_task_that_fails_is_kept() -> None:
    run = glovebox.start(fails)
    with pytest.raises(ValueError, match="no"):
        run.wait()
    assert "before the end" in run.get_report()


def test_what_is_too_large_is_refused_and_the_rest_is_kept() -> None:
    run = glovebox.start(large)
    with pytest.raises(errors.OutputTooLargeError, match="the report would have"):
        run.wait()
    assert "kept" in run.get_report()


def test_a_cached_result_has_its_report() -> None:
    runs = [glovebox.start(cached, 1) for _ in range(2)]
    for run in runs:
        run.wait()
        assert "made once" in run.get_report()
    assert any(run.info().get("cached") for run in runs)


def test_a_report_is_there_while_the_task_runs() -> None:
    flushed.clear()
    go_on.clear()
    run = glovebox.start(waits)
    try:
        assert flushed.wait(60)
        while "report" not in run.info():
            pass
        assert "so far" in run.get_report() and "and on" not in run.get_report()
    finally:
        go_on.set()
    run.wait()
    assert "and on" in run.get_report()


def test_each_run_has_its_own_report(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "glovebox.report"):
        run = glovebox.start(outer)
        run.wait()
    assert "outside" in run.get_report() and "own" not in run.get_report()
    inner = {call["task"]: call for call in run.calls()}
    assert "report" in inner["reports.whole"] and "report" not in inner["reports.without"]
    assert f"the task of run {inner['reports.without']['id']} is declared without report=True" in caplog.text
    with pytest.raises(errors.NotFoundError, match="has no report"):
        glovebox.Run.get(inner["reports.without"]["id"]).get_report()


def test_outside_of_a_run_nothing_is_kept() -> None:
    glovebox.report.log("x", do_flush=True)
    glovebox.report.get_tab("y").replace("z")
    assert not glovebox.report.current_report().has_content()
    assert whole.forward() == 1


BAD: tuple[tuple[Callable[[Report], object], str], ...] = (
    (lambda r: r.get_tab("none", create_if_missing=False), "Tab none does not exist"),
    (lambda r: r.get_tab(""), "0 characters, expected 1 to 200"),
    (lambda r: [r.get_tab(str(i)) for i in range(101)], "can have 100 tabs"),
    (lambda r: r.get_tab(cast("str", 1)), "the name of a tab is 1, expected a str"),
    (lambda r: r.get_tab("main").log(cast("str", b"x")), "the content of a report is bytes, expected HTML as str"),
    (lambda r: env.task(report=cast("bool", 1)), "report is 1, expected True or False"),
    (lambda r: glovebox.sandbox.create(code="x = 1", durable=False, report=True), "durable=False keeps nothing"),
)


@pytest.mark.parametrize(("write", "error"), BAD)
def test_bad_input(write: Callable[[Report], object], error: str) -> None:
    with pytest.raises((ValueError, TypeError), match=error):
        write(Report("r"))


def test_what_is_replaced_makes_room() -> None:
    tab = Report("r").get_tab("main")
    for _ in range(20):
        tab.replace("é" * (2 << 20))
    with pytest.raises(errors.OutputTooLargeError):
        tab.log("é" * (3 << 20))
    assert len(tab.get_html()) == 2 << 20
