from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from glovebox import errors
from glovebox._process.loop import run_sync
from glovebox._serving.execution import Offered
from glovebox._serving.stream import _Logs
from glovebox._serving.worker import Worker
from worker_peer import PATIENCE, FakeEngine, fake_engine, offered


@pytest.fixture
def fake() -> Iterator[tuple[FakeEngine, Worker]]:
    with fake_engine() as both:
        yield both


def double(x: int) -> int:
    return 2 * x


def test_a_session(fake: tuple[FakeEngine, Worker]) -> None:
    engine, worker = fake
    function = offered(double, "x:int")
    offer = engine.offer(worker, function)
    peer = engine.accept()
    hello = peer.welcome()
    offer.result(PATIENCE)
    assert hello["protocol"] == 1
    assert hello["capacity"] == 1024
    assert hello["blobs"] is True
    assert len(hello["worker"]) >= 16
    assert hello["functions"] == [{"id": "double", "task": function.definition}]
    peer.call("a", "double", x=21)
    assert peer.until("result") == [
        {"type": "started", "call": "a"},
        {"type": "result", "call": "a", "outputs": {"o0": 42}},
    ]
    peer.send(type="ack", call="a")
    peer.send(type="ping")
    assert peer.receive() == {"type": "pong"}


def test_a_start_comes_with_what_follows_and_soon_by_itself(fake: tuple[FakeEngine, Worker]) -> None:
    engine, worker = fake
    end = threading.Event()
    peer = engine.connected(worker, offered(end.wait, name="wait", output="bool"))
    peer.call("a", "wait")
    assert peer.receive() == {"type": "started", "call": "a"}
    end.set()
    assert peer.end("a")["outputs"] == {"o0": True}
    peer.call("b", "wait")
    peer.receive("result")
    peer.send(type="ping")
    assert peer.receive() == {"type": "pong"}  # the start was before the result, and once


def test_later_offers(fake: tuple[FakeEngine, Worker]) -> None:
    engine, worker = fake
    peer = engine.connected(worker, offered(double, "x:int"))
    run_sync(worker.offer(offered(double, "x:int", name="other")))
    assert [f["id"] for f in peer.receive("offer")["functions"]] == ["double", "other"]
    run_sync(worker.offer(offered(double, "x:int")))  # known: nothing to say
    peer.send(type="ping")
    assert peer.receive() == {"type": "pong"}


def test_the_newest_function_of_an_id_counts(fake: tuple[FakeEngine, Worker]) -> None:
    engine, worker = fake
    peer = engine.connected(worker, offered(double, "x:int"))
    run_sync(worker.offer(offered(lambda x: 3 * x, "x:int", name="double")))
    peer.call("a", "double", x=2)
    assert peer.end("a")["outputs"] == {"o0": 6}


def test_calls_run_at_once(fake: tuple[FakeEngine, Worker]) -> None:
    engine, worker = fake
    meeting = threading.Barrier(20, timeout=PATIENCE)

    def meet(x: int) -> int:
        meeting.wait()
        return x

    peer = engine.connected(worker, offered(meet, "x:int"))
    for i in range(20):
        peer.call(f"c{i}", "meet", x=i)
    ends = [peer.receive("result") for _ in range(20)]
    assert {end["call"]: end["outputs"]["o0"] for end in ends} == {f"c{i}": i for i in range(20)}
    for end in ends:
        peer.send(type="ack", call=end["call"])


def test_what_is_not_offered(fake: tuple[FakeEngine, Worker]) -> None:
    engine, worker = fake
    peer = engine.connected(worker, offered(double, "x:int"))
    peer.call("a", "nothing", x=1)
    error = peer.end("a")["error"]
    assert (error["code"], error["outcome"]) == ("worker_unavailable", "not_started")


def test_the_loop_goes_on_while_functions_work(fake: tuple[FakeEngine, Worker]) -> None:
    engine, worker = fake
    free = threading.Event()
    peer = engine.connected(worker, offered(lambda: int(free.wait(PATIENCE)), name="block"))
    peer.call("a", "block")
    peer.receive("started")
    peer.send(type="ping")
    assert peer.receive() == {"type": "pong"}
    free.set()
    assert peer.end("a")["outputs"] == {"o0": 1}


def test_heartbeats(fake: tuple[FakeEngine, Worker]) -> None:
    engine, worker = fake
    offer = engine.offer(worker, offered(double, "x:int"))
    peer = engine.accept()
    peer.welcome(heartbeat=1)
    offer.result(PATIENCE)
    assert peer.receive() == {"type": "ping"}
    # It hears nothing, and connects again.
    again = engine.accept()
    assert again.welcome()["calls"] == []


class TestConnectingAgain:
    def test_results_are_repeated_until_acknowledged(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        peer = engine.connected(worker, offered(double, "x:int"))
        peer.call("a", "double", x=1)
        peer.receive("result")
        peer.close()
        peer = engine.accept()
        assert peer.welcome()["calls"] == [{"call": "a", "started": True}]
        assert peer.end("a")["outputs"] == {"o0": 2}
        peer.send(type="ping")
        peer.receive("pong")  # it has read the ack
        peer.close()
        peer = engine.accept()
        assert peer.welcome()["calls"] == []

    def test_calls_go_on_without_a_connection(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        free, calls = threading.Event(), []

        def work() -> int:
            calls.append(1)
            free.wait(PATIENCE)
            return 7

        peer = engine.connected(worker, offered(work))
        peer.call("a", "work")
        peer.receive("started")
        peer.close()
        peer = engine.accept()
        assert peer.welcome()["calls"] == [{"call": "a", "started": True}]
        peer.call("a", "work")  # a repetition
        free.set()
        assert peer.end("a")["outputs"] == {"o0": 7}
        assert calls == [1]

    def test_offers_made_meanwhile_are_told(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        peer = engine.connected(worker, offered(double, "x:int"))
        peer.close()
        peer = engine.accept()
        hello = peer.receive("hello")
        offer = engine.offer(worker, offered(double, "x:int", name="other"))
        peer.send(type="welcome", session="s", heartbeat_seconds=60)
        offer.result(PATIENCE)
        told = {f["id"] for f in hello["functions"]}
        if "other" not in told:
            told = {f["id"] for f in peer.receive("offer")["functions"]}
        assert told == {"double", "other"}

    def test_it_tries_again(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        peer = engine.connected(worker, offered(double, "x:int"))
        engine.refuse = [
            ConnectionRefusedError("not yet"),
            errors.from_problem({"code": "server_unavailable", "message": "not yet", "retryable": True}),
        ]
        peer.close()
        engine.accept().welcome()
        assert engine.refuse == []

    def test_a_broken_line_ends_the_connection(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        peer = engine.connected(worker, offered(double, "x:int"))
        for broken in (b"no json\n", b"[]\n", b'{"type": 1}\n', b"\xff\n", b'{"type":"call","type":"call"}\n'):
            peer.send_raw(broken)
            peer = engine.accept()
            peer.welcome()


class TestRefusals:
    def test_the_first_offer_tells_why(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        engine.refuse = [errors.from_problem({"code": "unauthorized", "message": "wrong token"})]
        with pytest.raises(errors.GloveboxError, match="wrong token"):
            run_sync(worker.offer(offered(double, "x:int")))
        engine.connected(worker, offered(double, "x:int"))  # the next one tries again

    def test_a_bye_instead_of_a_welcome(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        offer = engine.offer(worker, offered(double, "x:int"))
        peer = engine.accept()
        peer.receive("hello")
        peer.send(
            type="bye",
            error={"code": "overloaded", "message": "too many workers", "retryable": True, "outcome": "not_started"},
        )
        with pytest.raises(errors.GloveboxError, match="too many workers"):
            offer.result(PATIENCE)

    @pytest.mark.parametrize("heartbeat", [None, 0, -1, "1", 10**9])
    def test_a_wrong_welcome(self, fake: tuple[FakeEngine, Worker], heartbeat: object) -> None:
        engine, worker = fake
        offer = engine.offer(worker, offered(double, "x:int"))
        peer = engine.accept()
        peer.receive("hello")
        peer.send(type="welcome", heartbeat_seconds=heartbeat)
        with pytest.raises(errors.GloveboxError, match="protocol"):
            offer.result(PATIENCE)

    def test_a_signature_that_is_too_large(self, fake: tuple[FakeEngine, Worker]) -> None:
        _, worker = fake
        large = Offered(
            "f",
            {"name": "f", "signature": {"inputs": [{"name": "x" * 300_000, "type": "int"}]}},
            offered(double).signature,
            double,
        )
        with pytest.raises(ValueError, match="at most"):
            run_sync(worker.offer(large))


class TestStopping:
    def test_an_async_function(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        began, cleaned = threading.Event(), threading.Event()

        async def forever() -> int:
            try:
                began.set()
                await asyncio.Event().wait()
            finally:
                cleaned.set()
            return 1

        peer = engine.connected(worker, offered(forever))
        peer.call("a", "forever")
        assert began.wait(PATIENCE)
        peer.send(type="cancel", call="a")
        assert peer.end("a")["error"]["code"] == "canceled"
        assert cleaned.is_set()

    def test_a_plain_function(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        running = threading.Event()

        def forever() -> int:
            running.set()
            while True:
                pass

        peer = engine.connected(worker, offered(forever))
        peer.call("a", "forever")
        assert running.wait(PATIENCE)
        peer.send(type="cancel", call="a")
        assert peer.end("a")["error"]["code"] == "canceled"

    def test_one_that_ends_all_the_same(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake

        began = threading.Event()

        async def stubborn() -> int:
            try:
                began.set()
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                return 5
            return 1

        peer = engine.connected(worker, offered(stubborn))
        peer.call("a", "stubborn")
        assert began.wait(PATIENCE)
        peer.send(type="cancel", call="a")
        assert peer.end("a")["outputs"] == {"o0": 5}

    def test_what_is_not_known(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        peer = engine.connected(worker, offered(double, "x:int"))
        peer.send(type="cancel", call="nothing")
        peer.send(type="ack", call="nothing")
        peer.send(type="something new", call={"strange": True})
        peer.call("a", "double", x=1)
        assert peer.end("a")["outputs"] == {"o0": 2}


class TestLeaving:
    def test_it_says_bye(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        peer = engine.connected(worker, offered(double, "x:int"))
        leaving = engine._threads.submit(lambda: run_sync(worker.close()))
        assert [m["type"] for m in peer.until("bye")] == ["drain", "bye"]
        peer.close()
        leaving.result(PATIENCE)
        with pytest.raises(errors.GloveboxError, match="ending"):
            run_sync(worker.offer(offered(double, "x:int")))

    def test_calls_under_way_are_stopped(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake

        async def forever() -> int:
            await asyncio.Event().wait()
            return 1

        peer = engine.connected(worker, offered(forever))
        peer.call("a", "forever")
        peer.receive("started")
        leaving = engine._threads.submit(lambda: run_sync(worker.close()))
        assert peer.end("a")["error"]["code"] == "canceled"
        leaving.result(PATIENCE)
        assert peer.receive() == {"type": "bye"}

    def test_calls_of_others_may_end(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        free, inside, stuck = threading.Event(), threading.Event(), threading.Event()

        def stubborn() -> int:
            try:
                inside.set()
                stuck.wait(PATIENCE)
            except BaseException:  # the Stopped of the cancellation, which may come before it waits
                stuck.wait(PATIENCE)
            return 1

        block = offered(lambda: int(free.wait(PATIENCE)), name="block")
        peer = engine.connected(worker, block, offered(stubborn))
        for name in "block", "stubborn":
            peer.call(name, name)
            peer.receive("started")
        assert inside.wait(PATIENCE)
        peer.send(type="cancel", call="stubborn")
        leaving = engine._threads.submit(lambda: run_sync(worker.close(drain=2 * PATIENCE)))
        peer.receive("drain")
        peer.call("late", "block")
        assert peer.end("late")["error"]["outcome"] == "not_started"
        free.set()
        assert peer.end("block")["outputs"] == {"o0": 1}
        assert peer.receive("bye") == {"type": "bye"}
        leaving.result(PATIENCE)
        stuck.set()

    def test_a_stubborn_call_does_not_keep_it(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake
        free = threading.Event()
        peer = engine.connected(worker, offered(lambda: int(free.wait(PATIENCE)), name="block"))
        peer.call("a", "block")
        peer.receive("started")
        run_sync(worker.close())
        assert peer.receive("bye") == {"type": "bye"}
        free.set()


class TestPrints:
    def test_they_come_before_the_end_and_in_lines(self, fake: tuple[FakeEngine, Worker]) -> None:
        engine, worker = fake

        def talk() -> int:
            print("one", 1)
            print("two", end="")
            return 1

        peer = engine.connected(worker, offered(talk))
        peer.call("a", "talk")
        assert peer.until("result")[1:3] == [
            {"type": "log", "call": "a", "stream": "stdout", "text": "one 1\n"},
            {"type": "log", "call": "a", "stream": "stdout", "text": "two"},
        ]

    def test_whoever_prints_waits_for_the_engine(
        self, fake: tuple[FakeEngine, Worker], capsys: pytest.CaptureFixture[str]
    ) -> None:
        engine, worker = fake
        lines, line = 2000, "x" * 10_000

        def flood() -> int:
            for _ in range(lines):
                print(line)
            return 1

        peer = engine.connected(worker, offered(flood))
        peer.call("a", "flood")
        link: Any = worker._link
        messages = peer.until("result")
        logs = [m for m in messages if m["type"] == "log"]
        assert "".join(m["text"] for m in logs) == (line + "\n") * lines
        assert len(link._outgoing) <= 200
        assert len(capsys.readouterr().out) == lines * (len(line) + 1)

    def test_calls_that_are_stopped_while_they_print_leave_room_for_others(
        self, fake: tuple[FakeEngine, Worker], capsys: pytest.CaptureFixture[str]
    ) -> None:
        engine, worker = fake
        started = threading.Semaphore(0)

        def flood() -> int:
            started.release()
            while True:
                print("x")

        peer = engine.connected(worker, offered(flood))
        link: Any = worker._link
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        try:
            for call in range(200):
                peer.call(str(call), "flood")
                assert started.acquire(timeout=PATIENCE)
                time.sleep(call % 10 / 5000)
                peer.send(type="cancel", call=str(call))
                assert peer.end(str(call))["error"]["code"] == "canceled"
        finally:
            sys.setswitchinterval(before)
        assert (len(link._logs._put), link._logs._taken) == (0, 0)
        capsys.readouterr()

    def test_a_call_that_is_stopped_when_it_has_no_lock_is_stopped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Stopped(BaseException):
            pass

        def stop(_: object) -> None:
            raise Stopped

        def given_up() -> bool:
            waking.start()  # it gets the lock when wait lets go of it
            return False

        logs = _Logs(0)  # so each has to wait
        monkeypatch.setattr(logs._changed, "_acquire_restore", stop)  # with which wait takes the lock again
        waking = threading.Thread(target=logs.wake)
        with pytest.raises(Stopped):
            logs.put(b"x", given_up)
        waking.join()
        logs.wake()  # nobody has the lock

    def test_a_flood_that_nobody_reads_is_stopped(
        self, fake: tuple[FakeEngine, Worker], capsys: pytest.CaptureFixture[str]
    ) -> None:
        engine, worker = fake
        started = threading.Event()

        def flood() -> int:
            started.set()
            while True:
                print("x" * 30_000)

        peer = engine.connected(worker, offered(flood))
        peer.call("a", "flood")
        assert started.wait(PATIENCE)
        peer.send(type="cancel", call="a")
        assert peer.end("a")["error"]["code"] == "canceled"
        capsys.readouterr()
