from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import secrets
import subprocess
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from glovebox._link import connect, http
from glovebox._link.address import parse_address
from glovebox._link.engine import Engine
from glovebox.errors import NotFoundError, ServerUnavailableError, UnauthorizedError
from http_peer import CLOSE, Cut, ok, peer, problem

REPOSITORY = Path(__file__).parents[3]
PROGRAM = os.environ.get("GLOVEBOX_PROGRAM") or str(REPOSITORY / "bin" / "glovebox")

ADD = {
    "name": "add",
    "kind": "orchestrator",
    "code": "x + 1",
    "orchestrator": {},
    "signature": {"inputs": [{"name": "x", "type": "int"}], "outputs": [{"name": "o0", "type": "int"}]},
}
PRINTS = {
    "name": "prints",
    "kind": "orchestrator",
    "code": "print('one')\nprint('two')",
    "orchestrator": {},
    "signature": {},
}
ENDLESS = {"name": "endless", "kind": "orchestrator", "code": "while True: pass", "orchestrator": {}, "signature": {}}
WAITING = {"name": "waiting", "kind": "function", "function": {"id": "nobody-has-it"}, "signature": {}}
FAILS = {"name": "fails", "kind": "orchestrator", "code": "1 / 0", "orchestrator": {}, "signature": {}}


class Server:
    """A real engine, by a socket or a port with a token."""

    def __init__(self, directory: Path, tcp: bool) -> None:
        token = secrets.token_hex(16)
        (directory / "token").write_text(token)
        listen = ["127.0.0.1:0", "--token-file", str(directory / "token")] if tcp else [f"unix:{directory}/s"]
        environment = {**os.environ, "GLOVEBOX_HOME": str(directory / "home")}
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--listen", *listen],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.token = token if tcp else None
        self.url = self._url()

    def _url(self) -> str:
        assert self.process.stderr is not None
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            if line.startswith("glovebox: listening on "):
                # Its log has to be taken, or it stops.
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                address = line.split()[-1]
                return f"unix://{address}" if address.startswith("/") else f"http://{address}"
        raise AssertionError("".join(lines))

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(300)
        assert self.process.stderr is not None
        self.process.stderr.close()


@pytest.fixture(scope="module", params=["unix", "tcp"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="gb") as directory:
        made = Server(Path(directory), request.param == "tcp")
        yield made
        made.stop()


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GLOVEBOX_URL", "GLOVEBOX_TOKEN", "GLOVEBOX_RUN", "GLOVEBOX_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(http, "_PAUSE", 0.01)


def on(server: Server, work: Callable[[Engine], Coroutine[Any, Any, Any]]) -> Any:
    async def main() -> Any:
        engine = Engine(parse_address(server.url), server.token)
        try:
            return await work(engine)
        finally:
            await engine.close()

    return asyncio.run(main())


def test_a_run_is_made_and_waited_for(server: Server) -> None:
    async def work(engine: Engine) -> None:
        run = await engine.submit(task=ADD, inputs='{"x": 41}')
        result = await engine.wait(run["id"])
        assert result is not None
        assert result["outputs"] == [{"name": "o0", "type": "int", "value": 42}]
        assert (await engine.run(run["id"]))["outputs"] == {"o0": 42}
        assert (await engine.runs(task="add", top=True, limit=1))["runs"][0]["id"] == run["id"]

    on(server, work)


def test_ints_of_any_length_go_both_ways(server: Server) -> None:
    async def work(engine: Engine) -> None:
        run = await engine.submit(task=ADD, inputs='{"x": 1' + "0" * 10_000 + "}")
        result = await engine.wait(run["id"])
        assert result is not None and result["outputs"][0]["value"] == 10**10_000 + 1

    on(server, work)


def test_a_failed_run_is_no_error_of_waiting(server: Server) -> None:
    async def work(engine: Engine) -> None:
        run = await engine.submit(task=FAILS)
        result = await engine.wait(run["id"])
        assert result is not None and result["run"]["error"]["code"] == "python_exception"

    on(server, work)


def test_waiting_ends_when_its_time_is_over(server: Server) -> None:
    async def work(engine: Engine) -> None:
        run = await engine.submit(task=WAITING)
        assert await engine.wait(run["id"], timeout=0.05) is None
        assert await engine.wait(run["id"], timeout=0) is None
        await engine.cancel(run["id"], "enough")
        result = await engine.wait(run["id"])
        assert result is not None and result["run"]["status"] == "canceled"

    on(server, work)


def test_cancelling_the_waiting_leaves_the_run_alone(server: Server) -> None:
    async def work(engine: Engine) -> None:
        run = await engine.submit(task=WAITING)
        waiting = asyncio.create_task(engine.wait(run["id"]))
        while not engine._http._open:
            await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert (await engine.run(run["id"]))["status"] in ("queued", "running")
        await engine.cancel(run["id"], "enough")

    on(server, work)


def test_an_interrupted_submission_leaves_no_run_under_way(server: Server) -> None:
    async def work(engine: Engine) -> None:
        task = {**WAITING, "name": "interrupted"}
        submitting = asyncio.create_task(engine.submit(task=task))
        while not engine._http._open:  # the request is on its way
            await asyncio.sleep(0)
        submitting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await submitting
        runs = (await engine.runs(task="interrupted"))["runs"]
        assert len(runs) == 1
        result = await engine.wait(runs[0]["id"])
        assert result is not None and result["run"]["status"] == "canceled"

    on(server, work)


def test_a_repeated_key_is_the_same_run(server: Server) -> None:
    async def work(engine: Engine) -> None:
        first = await engine.submit(task=ADD, inputs='{"x": 1}', idempotency_key="the same")
        again = await engine.submit(task=ADD, inputs='{"x": 1}', idempotency_key="the same")
        other = await engine.submit(task=ADD, inputs='{"x": 1}')
        assert first["id"] == again["id"] != other["id"]

    on(server, work)


def test_what_a_run_printed_comes_in_order(server: Server) -> None:
    async def work(engine: Engine) -> None:
        run = await engine.submit(task=PRINTS)
        text = "".join([entry["text"] async for entry in engine.logs(run["id"], follow=True)])
        assert text == "one\ntwo\n"
        kinds = [event["kind"] async for event in engine.events(run["id"])]
        assert (kinds[0], kinds[-1]) == ("created", "ended")

    on(server, work)


def test_progress_of_a_run_is_told(server: Server) -> None:
    told: list[tuple[str, str]] = []

    async def work(engine: Engine) -> None:
        with pytest.raises(Exception, match="image"):
            await engine.build_image(
                {"ref": "/nowhere/at/all.tar"}, lambda stage, message: told.append((stage, message))
            )
        run = await engine.submit(task=ADD, inputs='{"x": 1}')
        assert await engine.wait(run["id"], progress=lambda stage, message: told.append((stage, message)))

    on(server, work)


def test_code_is_checked(server: Server) -> None:
    async def work(engine: Engine) -> None:
        assert await engine.check(ADD) == []
        assert (await engine.check({**ADD, "code": "x + nothing"}))[0]["line"] == 1

    on(server, work)


@pytest.mark.parametrize("size", [0, 1, 100_000, 3_000_000])
def test_blobs_come_back_as_they_were(server: Server, size: int, tmp_path: Path) -> None:
    data = os.urandom(size)
    (tmp_path / "data").write_bytes(data)

    async def work(engine: Engine) -> None:
        digest, count = await engine.put_blob(data)
        assert (digest, count) == (hashlib.sha256(data).hexdigest(), size)
        assert await engine.put_blob(tmp_path / "data") == (digest, size)
        assert b"".join([piece async for piece in engine.open_blob(digest)]) == data

    on(server, work)


def test_a_blob_that_is_not_there_is_an_error(server: Server) -> None:
    async def work(engine: Engine) -> None:
        with pytest.raises(NotFoundError):
            async for _ in engine.open_blob("0" * 64):
                pass
        with pytest.raises(ValueError, match="64 hexadecimal digits"):
            async for _ in engine.open_blob("../secret"):
                pass
        with pytest.raises(OSError, match="nowhere"):
            await engine.put_blob(Path("/nowhere"))

    on(server, work)


def test_reading_a_blob_can_be_given_up(server: Server) -> None:
    async def work(engine: Engine) -> None:
        digest, _ = await engine.put_blob(os.urandom(3_000_000))
        async with contextlib.aclosing(engine.open_blob(digest)) as pieces:
            async for _ in pieces:
                break
        assert not engine._http._open
        assert (await engine.version())["version"]

    on(server, work)


def test_tasks_are_deployed_and_found(server: Server) -> None:
    async def work(engine: Engine) -> None:
        versions = await engine.deploy("demo", [{**ADD, "name": "demo.add"}])
        assert versions[0]["name"] == "demo.add"
        assert (await engine.task("demo.add"))["task"]["code"] == "x + 1"
        run = await engine.submit(name="demo.add", inputs='{"x": 1}')
        assert await engine.wait(run["id"])
        again = await engine.rerun(run["id"], {"inputs": {"x": 5}})
        result = await engine.wait(again["id"])
        assert result is not None and result["outputs"][0]["value"] == 6

    on(server, work)


@pytest.mark.parametrize("name", ["", ".", "..", "a/../b", "ä b?x=1#y"])
def test_a_name_cannot_lead_to_another_route(server: Server, name: str) -> None:
    async def work(engine: Engine) -> None:
        for ask in (engine.run, engine.task):
            with pytest.raises(Exception, match="there is no|is no NAME|pattern|length"):
                await ask(name)

    on(server, work)


def test_secrets_are_stored(server: Server) -> None:
    async def work(engine: Engine) -> None:
        await engine.set_secret("api_key", b"value\n")

    on(server, work)


def test_a_worker_gets_a_stream_of_its_own(server: Server) -> None:
    async def work(engine: Engine) -> None:
        reader, writer = await engine.connect_worker()
        writer.write(b'{"type": "hello", "protocol": 99}\n')
        await writer.drain()
        assert b'"bye"' in await reader.readline()
        writer.close()
        await writer.wait_closed()

    on(server, work)


@pytest.mark.once
def test_two_thousand_runs_at_once(server: Server) -> None:
    async def one(engine: Engine, i: int) -> None:
        run = await engine.submit(task=ADD, inputs=f'{{"x": {i}}}')
        result = await engine.wait(run["id"], progress=lambda stage, message: None)
        assert result is not None and result["outputs"][0]["value"] == i + 1

    async def work(engine: Engine) -> None:
        await asyncio.gather(*(one(engine, i) for i in range(2000)))

    on(server, work)


@pytest.mark.once
def test_few_open_files_are_enough_for_many_that_wait(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glovebox._process.open_files.open_files", lambda: 32)

    async def work(engine: Engine) -> None:
        runs = await asyncio.gather(*(engine.submit(task=WAITING) for _ in range(60)))
        waiting = [asyncio.create_task(engine.wait(run["id"])) for run in runs]
        run = await engine.submit(task=ADD, inputs='{"x": 1}')
        assert await engine.wait(run["id"])  # though those before it wait
        assert len(engine._http._open) <= 16 + 1
        await asyncio.gather(*(engine.cancel(run["id"], "enough") for run in runs))
        for result in await asyncio.gather(*waiting):
            assert result is not None and result["run"]["status"] == "canceled"

    on(server, work)


def test_a_wrong_token_is_refused(server: Server) -> None:
    if server.token is None:
        pytest.skip("a socket needs no token")

    async def main() -> None:
        engine = Engine(parse_address(server.url), "wrong-token-123456")
        try:
            with pytest.raises(UnauthorizedError):
                await engine.version()
        finally:
            await engine.close()

    asyncio.run(main())


def test_a_lost_answer_starts_no_second_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(prefix="gb") as directory:
        with peer(Path(directory), [CLOSE], [ok('{"id": "run-1"}')]) as (server, url):

            async def main() -> None:
                engine = Engine(parse_address(url))
                try:
                    assert await engine.submit(task=ADD) == {"id": "run-1"}
                finally:
                    await engine.close()

            asyncio.run(main())
    keys = [line for head, _ in server.requests for line in head.splitlines() if line.startswith("Idempotency-Key")]
    assert len(keys) == 2 and keys[0] == keys[1]


def test_a_stream_that_is_cut_goes_on_where_it_was() -> None:
    def events(*numbers: int, kind: str = "log") -> str:
        text = "".join(f'id: {n}\nevent: {kind}\ndata: {{"seq": {n}}}\n\n' for n in numbers)
        return ok(text, "Content-Type: text/event-stream")

    with tempfile.TemporaryDirectory(prefix="gb") as directory:
        cut = events(1, 2).replace("Content-Length: ", "Content-Length: 9")
        with peer(Path(directory), [Cut(cut)], [events(3)]) as (server, url):

            async def main() -> list[int]:
                engine = Engine(parse_address(url))
                try:
                    return [entry["seq"] async for entry in engine.logs("run-1", follow=True)]
                finally:
                    await engine.close()

            assert asyncio.run(main()) == [1, 2, 3]
    assert "after=0" in server.requests[0][0] and "after=2" in server.requests[1][0]


def test_waiting_outlives_a_server_that_is_away_for_a_while() -> None:
    result = ok('{"run": {"id": "run-1", "status": "succeeded"}}')
    with tempfile.TemporaryDirectory(prefix="gb") as directory:
        away = [problem(503, "server_unavailable")]
        with peer(Path(directory), away, [result]) as (_, url):

            async def main() -> Any:
                engine = Engine(parse_address(url))
                try:
                    return await engine.wait("run-1")
                finally:
                    await engine.close()

            assert asyncio.run(main())["run"]["status"] == "succeeded"


def test_the_engine_is_that_of_the_settings_of_now(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    current = connect._Current()

    async def main() -> None:
        monkeypatch.setenv("GLOVEBOX_URL", server.url)
        monkeypatch.setenv("GLOVEBOX_TOKEN", server.token or "")
        first, again = await asyncio.gather(current.engine(), current.engine())
        assert first is again and not first.private and first.url == server.url
        assert (await first.version())["version"]
        monkeypatch.setenv("GLOVEBOX_TOKEN", "another-token-123")
        assert await current.engine() is not first
        await current.close()

    asyncio.run(main())


def test_a_failed_start_is_tried_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    current = connect._Current()

    async def main() -> None:
        monkeypatch.setenv("GLOVEBOX_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("GLOVEBOX_PROGRAM", "/bin/false")
        with pytest.raises(ServerUnavailableError):
            await current.engine()
        with pytest.raises(ServerUnavailableError):
            await current.engine()
        monkeypatch.setenv("GLOVEBOX_PROGRAM", PROGRAM)
        engine = await current.engine()
        assert engine.private and engine.alive
        await current.close()
        assert not engine.alive

    asyncio.run(main())


async def _relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
    writer.close()


def test_in_a_cell_the_engine_is_reached_through_the_proxy(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    if server.token is not None:
        pytest.skip("what a cell asks comes without a token")
    asked: list[bytes] = []

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[0])
        there, back = await asyncio.open_unix_connection(server.url.removeprefix("unix://"))
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await asyncio.gather(_relay(reader, back), _relay(there, writer))

    async def main() -> None:
        proxy = await asyncio.start_server(tunnel, "127.0.0.1", 0)
        monkeypatch.setenv("GLOVEBOX_RUN", "run-1")
        monkeypatch.setenv("GLOVEBOX_URL", "http://engine.glovebox")
        monkeypatch.setenv("GLOVEBOX_PROXY", f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        current = connect._Current()
        engine = await current.engine()
        digest, _ = await engine.put_blob(b"from a cell")
        assert b"".join([piece async for piece in engine.open_blob(digest)]) == b"from a cell"
        await current.close()
        proxy.close()
        await proxy.wait_closed()

    asyncio.run(main())
    assert set(asked) == {b"CONNECT engine.glovebox:80 HTTP/1.1"}
