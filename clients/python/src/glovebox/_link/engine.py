"""The HTTP API of an engine, one method a route."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, cast

from .._process.open_files import Places
from .._process.time_limit import time_limit
from .._values.json_text import dump
from .._values.type_guards import object_in
from ..errors import ConflictError, GloveboxError, RequestTooLargeError, from_problem
from .address import Address
from .child import Child
from .documents import Json, object_of, query_text, query_texts, result_of, run_of, run_path, segment, versions_of
from .events import lines, messages
from .http import Http, Request

Progress = Callable[[str, str], None]  # gets stage and message

_POLL = 30.0  # seconds that the engine is asked to wait for a result
_POLL_SHORT = 0.25  # the same where others want the connection
_PATIENCE = 30.0  # seconds with an engine that was there and is gone
_DEATH_PATIENCE = 2.0  # seconds until it is known that a child has ended, after it closed a connection
_CANCEL_PATIENCE = 5.0  # seconds for an engine to say which run it has made
_SHORT = 0.5  # seconds; a run of that length shows no progress
_REQUESTS = 64  # concurrently; an engine answers 256 of all its clients
_MAX_JSON = 64 << 20  # bytes of a request that is JSON
_WORKER_LINE = 64 << 20  # bytes: docs/WORKER.md
_FRESH = 512 << 10  # bytes: a limit that no connection has that was used before
_EVENTS_SILENCE = 45.0  # seconds; there is a comment every 15
_SMALL = 64 << 10  # bytes of a blob that is sent without asking whether it is there
_DIGEST = re.compile(r"[0-9a-f]{64}")


class _Link(Http):
    """The connection to an engine that may be a child of this process."""

    def __init__(self, address: Address, token: str | None, ca_file: str | None, child: Child | None) -> None:
        super().__init__(address, token, ca_file)
        self.child = child

    def is_gone(self) -> bool:
        return self.child is not None and not self.child.alive

    async def explained(self, error: GloveboxError) -> GloveboxError:
        """Returns the reason for error, where this process knows better."""
        if self.child is None or error.code != "server_unavailable":
            return error
        return self.child.failure() if await self.child.has_ended(_DEATH_PATIENCE) else error


class Engine:
    """A connection to an engine. Every method runs on the loop of ``_loop``.

    Errors are those of ``glovebox.errors``: what the server answered, or
    ServerUnavailableError.
    """

    url: str  # as GLOVEBOX_URL
    private: bool  # a child of this process, which ends with it

    def __init__(
        self, address: Address, token: str | None = None, ca_file: str | None = None, child: Child | None = None
    ) -> None:
        self.url = address.text
        self.private = child is not None
        self._http = _Link(address, token, ca_file, child)
        self._requests = asyncio.Semaphore(_REQUESTS)
        self._places = Places()

    def __repr__(self) -> str:
        return f"<engine at {self.url}>"

    def __reduce__(self) -> NoReturn:
        # It has the token, which must not end up in a file.
        raise TypeError(f"{self!r} is a connection of this process and cannot be pickled; keep the id of the run")

    @property
    def alive(self) -> bool:
        """Reports whether it can be used: a child may have ended by itself."""
        return not self._http.is_gone()

    async def submit(
        self,
        *,
        task: Mapping[str, Any] | None = None,
        name: str | None = None,
        inputs: str = "{}",
        parent: str | None = None,
        group: str | None = None,
        cache: str | None = None,
        notify: Sequence[Mapping[str, Any]] | None = None,
        labels: Mapping[str, str] | None = None,
        node_selector: Mapping[str, str] | None = None,
        priority: int | None = None,
        idempotency_key: str | None = None,
    ) -> Json:
        """Makes a run and returns it (POST /v1/runs). ``inputs`` is JSON text, an object by name.

        A caller that is cancelled never learns the id, so the run is cancelled, too.
        """
        given: dict[str, Any] = {"task": task, "name": name, "parent": parent, "group": group, "cache": cache}
        given |= {"notify": notify, "labels": labels, "node_selector": node_selector, "priority": priority}
        members = [f"{dump(key)}:{dump(value)}" for key, value in given.items() if value is not None]
        body = "{" + ",".join([*members, f'"inputs":{inputs}']) + "}"
        # A repetition after a lost answer starts no second run.
        key = idempotency_key or "python-" + secrets.token_hex(16)
        made = asyncio.create_task(self._post("/v1/runs", body, {"Idempotency-Key": key}))
        try:
            return run_of(await asyncio.shield(made))
        except asyncio.CancelledError:
            with contextlib.suppress(GloveboxError, asyncio.TimeoutError):
                async with time_limit(_CANCEL_PATIENCE):
                    run = await made
                await self.cancel(run["id"], "the caller was interrupted")
            raise

    async def evaluate(self, *, task: Mapping[str, Any], inputs: str) -> Json:
        """Evaluates an orchestrator without making a run, and returns how that ended (POST /v1/evaluations).

        ``inputs`` is JSON text. Cancelling it closes the connection, which ends the evaluation.
        """
        body = f'{{"task":{dump(task)},"inputs":{inputs}}}'
        request = Request("POST", "/v1/evaluations", body=body.encode())
        return object_of(await self._ask(request))  # beside the requests that it may make others wait for

    async def wait(self, run_id: str, *, timeout: float | None = None, progress: Progress | None = None) -> Json | None:
        """Waits until a run has ended and returns its result (``run``, ``outputs``, ``stdout``, ``stderr``).

        None if it has not after ``timeout`` seconds. A failed run is no error
        here. ``progress`` gets stage and message of what happens meanwhile.
        """
        if progress is None or self._places.crowded:  # results come first
            return await self._wait(run_id, timeout)
        following = asyncio.create_task(self._report(run_id, progress))
        try:
            return await self._wait(run_id, timeout)
        finally:
            following.cancel()
            await asyncio.wait([following])

    async def run(self, run_id: str) -> Json:
        """Returns what is known of a run, with inputs and outputs."""
        return await self._get(run_path(run_id))

    async def run_task(self, run_id: str) -> Json:
        """Returns the whole task of a run as it ran."""
        return await self._get(run_path(run_id, "/task"))

    async def runs(self, **query: Any) -> Json:
        """Returns a page of runs, the newest first: ``runs`` and ``next``, the cursor of the next page."""
        texts = {key: query_texts(value) for key, value in query.items() if value is not None}
        return await self._get("/v1/runs", texts)

    async def approvals(self, **query: Any) -> Json:
        """Returns a page of what asks for approval: ``approvals``, ``next`` and how many are ``waiting``."""
        texts = {key: query_text(value) for key, value in query.items() if value is not None}
        return await self._get("/v1/approvals", texts)

    async def decide(self, run_id: str, body: Mapping[str, Any], key: str) -> Json:
        """Approves or refuses a run, and returns what it asked. The key makes a repetition no conflict."""
        return await self._post(f"/v1/approvals/{segment(run_id)}", dump(body), {"Idempotency-Key": key})

    async def signal(self, run_id: str, name: str, body: Mapping[str, Any], *, wait: float, key: str) -> Json:
        """Sends a value to what waits for a signal, and returns what took it. The key makes repetitions one."""
        path = run_path(run_id, f"/signals/{segment(name)}")
        return await self._post(f"{path}?wait={round(wait * 1000)}ms", dump(body), {"Idempotency-Key": key})

    async def cancel(self, run_id: str, reason: str) -> None:
        """Ends a run and what it started."""
        await self._post(run_path(run_id, "/cancel"), dump({"reason": reason}))

    async def resume(self, run_id: str, *, retry_unknown: bool = False) -> Json:
        """Resumes a run, and returns it."""
        return await self._post(run_path(run_id, "/resume"), dump({"retry_unknown": retry_unknown}))

    async def resolve(self, run_id: str, body: Mapping[str, Any]) -> Json:
        """Says what became of a call in doubt, and returns the run of the call."""
        return await self._post(run_path(run_id, "/resolve"), dump(body), repeat=False)

    async def rerun(self, run_id: str, body: Mapping[str, Any]) -> Json:
        """Makes a new run of an earlier one, and returns it."""
        return await self._post(run_path(run_id, "/rerun"), dump(body), repeat=False)

    async def logs(self, run_id: str, *, after: int = 0, follow: bool = False) -> AsyncGenerator[Json, None]:
        """Yields what a run printed: ``seq time stream text``; with follow, until it has ended."""
        entries = self._follow(run_path(run_id, "/logs"), after, {"follow": "true"} if follow else {})
        async with contextlib.aclosing(entries):
            async for _, entry in entries:
                yield entry

    async def events(self, run_id: str, *, after: int = 0) -> AsyncGenerator[Json, None]:
        """Yields the events of a run until it has ended, with ``progress`` among them."""
        entries = self._follow(run_path(run_id, "/events"), after, {})
        async with contextlib.aclosing(entries):
            async for kind, event in entries:
                yield event
                if kind == "ended":
                    return

    async def check(self, task: Mapping[str, Any]) -> list[Json]:
        """Returns the problems of an orchestrator."""
        answer = await self._post("/v1/check", dump({"task": task}))
        return list(answer.get("problems") or [])

    async def mcp_tools(self, server: Mapping[str, Any]) -> list[Json]:
        """Returns the tools of an MCP server, as tasks."""
        answer = await self._post("/v1/mcp/tools", dump({"server": server}))
        return list(answer.get("tools") or [])

    async def prompt(self, task: Mapping[str, Any]) -> str:
        """Returns what a model has to know to write the code of an orchestrator."""
        answer = await self._post("/v1/prompt", dump({"task": task}))
        return str(answer["prompt"])

    async def put_blob(self, source: bytes | Path) -> tuple[str, int]:
        """Stores bytes, or those of a file, and returns their SHA-256 in hexadecimal and their number.

        Sends only content that the engine does not have. Raises OSError for a
        file that cannot be read.
        """
        digest, size = await asyncio.to_thread(_digest_of, source)
        if size > _SMALL and await self._has_blob(digest):
            return digest, size
        request = Request("POST", "/v1/blobs", body=source, content_type="application/octet-stream", repeat=True)
        async with self._places.place():
            stored = object_of(await self._ask(request))
        if (stored.get("digest"), stored.get("size")) != (digest, size):
            raise ConflictError(
                f"{_named(source)} changed while it was stored", hint="store it again when nobody writes to it"
            )
        return digest, size

    async def open_blob(self, digest: str) -> AsyncGenerator[bytes, None]:
        """Yields the bytes of a blob in pieces. The caller checks the digest."""
        if not _DIGEST.fullmatch(digest):
            raise ValueError(f"{digest!r} is no digest of a blob; expected 64 hexadecimal digits in lower case")
        async with contextlib.aclosing(self.content(Request("GET", f"/v1/blobs/{digest}", repeat=True))) as pieces:
            async for piece in pieces:
                yield piece

    async def deploy(
        self, environment: str, tasks: Sequence[Mapping[str, Any]], schedules: Sequence[Mapping[str, Any]] = ()
    ) -> list[Json]:
        """Keeps tasks in versions, and what starts them by time. Returns the versions."""
        body: Json = {"environment": environment, "tasks": list(tasks)}
        if schedules:
            body["schedules"] = list(schedules)
        answer = await self._post("/v1/deployments", dump(body))
        return versions_of(answer.get("tasks"))

    async def task(self, ref: str) -> Json:
        """Returns a version of a deployed task, ``NAME`` or ``NAME@VERSION``."""
        return versions_of([await self._get(f"/v1/tasks/{segment(ref)}")])[0]

    async def set_secret(self, name: str, value: bytes) -> None:
        """Stores a secret."""
        request = Request(
            "PUT", f"/v1/secrets/{segment(name)}", body=value, content_type="application/octet-stream", repeat=True
        )
        await self._ask(request)

    async def secrets(self) -> list[str]:
        """Returns the names of the stored secrets."""
        names: list[object] = (await self._get("/v1/secrets")).get("names") or []
        return [str(name) for name in names]

    async def delete_secret(self, name: str) -> None:
        """Removes a stored secret."""
        await self._ask(Request("DELETE", f"/v1/secrets/{segment(name)}"))

    async def build_image(self, spec: Mapping[str, Any], progress: Progress | None = None) -> Json:
        """Builds or pulls an image and returns it. It is given up if this is cancelled."""
        return dict(await self._image_work("/v1/images", {"spec": spec}, "image", progress))

    async def push_image(self, image: str, body: Mapping[str, Any], progress: Progress | None = None) -> str:
        """Pushes an image to a registry and returns its reference by digest. It is given up if this is cancelled."""
        return str(await self._image_work(f"/v1/images/{segment(image)}/push", body, "reference", progress))

    async def _image_work(self, path: str, body: Mapping[str, Any], wanted: str, progress: Progress | None) -> Any:
        """Returns the outcome of work on an image, after what is said of it meanwhile."""
        request = Request("POST", path, body=dump(body).encode(), repeat=True, silence=None)
        async with self._places.place():
            answer = await self._http.send(request)
            async with contextlib.aclosing(answer):
                async for line in lines(answer.pieces()):
                    outcome = object_of(line)
                    if "error" in outcome:
                        raise from_problem(outcome["error"])
                    if wanted in outcome:
                        return outcome[wanted]
                    _tell(progress, outcome.get("progress"))
        raise await self._http.explained(self._http.unavailable("broke off its answer", f"there is no {wanted}"))

    async def keep_warm(self, body: Mapping[str, Any]) -> Json:
        """Asks for cells to be kept ready, and returns their pool when the first is (PUT /v1/warm)."""
        request = Request("PUT", "/v1/warm", body=dump(body).encode(), repeat=True, silence=None)
        async with self._places.place():
            return object_of(await self._ask(request))

    async def version(self) -> Json:
        """Returns the version of the engine."""
        return await self._get("/v1/version")

    async def connect_worker(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Opens the stream of docs/WORKER.md, after the 101."""
        return await self.upgrade("POST", "/v1/workers/connect", "glovebox-worker", _WORKER_LINE)

    async def upgrade(
        self, method: str, path: str, protocol: str, limit: int = _FRESH
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Makes a connection of its own of which the protocol is another one, after the 101."""
        try:
            return await self._http.upgrade(method, path, protocol, limit)
        except GloveboxError as error:
            raise await self._http.explained(error) from None

    async def ask(self, request: Request) -> Json:
        """Makes a request, and returns the object that is the answer; an empty one if that has no body."""
        text = await self._ask(request)
        return object_of(text) if text.strip() else {}

    async def content(self, request: Request) -> AsyncGenerator[bytes, None]:
        """Yields the bytes of an answer in pieces."""
        async with self._places.place():
            try:
                answer = await self._http.send(request)
                async with contextlib.aclosing(answer):
                    async for piece in answer.pieces():
                        yield piece
            except GloveboxError as error:
                raise await self._http.explained(error) from None

    async def entries(self, request: Request) -> AsyncGenerator[Json, None]:
        """Yields what a stream brings, over one connection, and raises the problem that it ends with."""
        headers = {**request.headers, "Accept": "text/event-stream"}
        asked = replace(request, headers=headers, silence=_EVENTS_SILENCE)
        async with contextlib.aclosing(self.content(asked)) as pieces:
            async for message in messages(pieces):
                entry = object_of(message.data or b"")
                if message.kind == "problem":
                    raise from_problem(object_in(entry, "problem"))
                yield entry

    def broke_off(self, what: str) -> GloveboxError:
        """Returns the error for a stream that ended before its last entry."""
        return self._http.unavailable("ended its stream early", what)

    async def close(self) -> None:
        """Closes the connections, and stops the engine if it is a child."""
        await self._http.close()
        if self._http.child is not None:
            await self._http.child.stop()

    def forget(self) -> None:
        """Lets go of it in a process that was forked off."""
        if self._http.child is not None:
            self._http.child.forget()

    async def _wait(self, run_id: str, timeout: float | None) -> Json | None:
        deadline = None if timeout is None else time.monotonic() + timeout
        path = run_path(run_id, "/result")
        lost: float | None = None  # since when the engine is away
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                result = await self._poll(path, left)
                lost = None
            except GloveboxError as error:
                result = None
                lost = lost or time.monotonic()
                if self.private or not may_return(error) or time.monotonic() - lost > _PATIENCE:
                    raise
                await asyncio.sleep(0.5)
            if result is not None:
                return result
            if deadline is not None and time.monotonic() >= deadline:
                return None

    async def _poll(self, path: str, left: float | None) -> Json | None:
        """Asks for a result once; None if there is none yet."""
        async with self._places.place() as crowded:
            wait = _POLL_SHORT if crowded else _POLL
            wait = wait if left is None else min(wait, left)
            request = Request("GET", path, query={"wait": f"{wait:.3f}s"}, repeat=True, silence=_POLL + 30)
            try:
                answer = await self._http.send(request)
                status, text = answer.status, await answer.read()
            except GloveboxError as error:
                raise await self._http.explained(error) from None
        return result_of(object_of(text)) if status == 200 else None

    async def _report(self, run_id: str, progress: Progress) -> None:
        """Reports the progress of a run that takes a while. The engine keeps the events from before the call."""
        await asyncio.sleep(_SHORT)
        with contextlib.suppress(GloveboxError):
            async with contextlib.aclosing(self.events(run_id)) as events:
                async for event in events:
                    if event.get("kind") == "progress":
                        _tell(progress, event.get("data"))

    async def _follow(self, path: str, after: int, query: Mapping[str, str]) -> AsyncGenerator[tuple[str, Json], None]:
        """Yields name and data of the messages of a stream, each once, though it may be cut at any time."""
        lost: float | None = None
        while True:
            request = Request(
                "GET",
                path,
                {**query, "after": str(after)},
                headers={"Accept": "text/event-stream"},
                repeat=True,
                silence=_EVENTS_SILENCE,
            )
            try:
                async with self._places.place():
                    answer = await self._http.send(request)
                    async with contextlib.aclosing(answer):
                        async for message in messages(answer.pieces()):
                            lost = None
                            after = int(message.id) if message.id.isdecimal() and len(message.id) < 20 else after
                            yield message.kind, object_of(message.data or b"")
                return
            except GloveboxError as error:
                lost = lost or time.monotonic()
                if self.private or not may_return(error) or time.monotonic() - lost > _PATIENCE:
                    raise await self._http.explained(error) from None
            await asyncio.sleep(0.5)

    async def _has_blob(self, digest: str) -> bool:
        try:
            await self._ask(Request("HEAD", f"/v1/blobs/{digest}", repeat=True))
        except GloveboxError as error:
            if error.code == "not_found":
                return False
            raise
        return True

    async def _get(self, path: str, query: Mapping[str, str | list[str]] | None = None) -> Json:
        async with self._requests:
            return object_of(await self._ask(Request("GET", path, query=query or {}, repeat=True)))

    async def _post(self, path: str, body: str, headers: Mapping[str, str] | None = None, repeat: bool = True) -> Json:
        data = body.encode()
        if len(data) > _MAX_JSON:  # the engine would break off the connection, which says nothing
            raise RequestTooLargeError(
                f"this would be a request of {len(data)} bytes; an engine takes at most {_MAX_JSON}",
                hint="pass large data as a File, which travels by itself",
            )
        request = Request("POST", path, body=data, headers=headers or {}, repeat=repeat)
        async with self._requests:
            text = await self._ask(request)
        return object_of(text) if text.strip() else {}

    async def _ask(self, request: Request) -> bytes:
        try:
            return await self._http.ask(request)
        except GloveboxError as error:
            raise await self._http.explained(error) from None


def may_return(error: GloveboxError) -> bool:
    """Reports whether an engine is away for a while, and not one that talks nonsense."""
    return error.code == "server_unavailable" and error.retryable


def _tell(progress: Progress | None, given: object) -> None:
    if progress is not None and isinstance(given, dict):
        step = cast(Json, given)
        progress(str(step.get("stage", "")), f"{step.get('message', '')}{_percent(step)}".strip())


def _percent(step: Json) -> str:
    """Returns how much of a step is done, if that is known."""
    done, total = step.get("done", 0), step.get("total", 0)
    if not isinstance(done, int) or not isinstance(total, int) or total <= 0:
        return ""
    return f" {min(100, 100 * done // total)}%"


def _named(source: bytes | Path) -> str:
    return f"the file {source}" if isinstance(source, Path) else "what was given"


def _digest_of(source: bytes | Path) -> tuple[str, int]:
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest(), len(source)
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
            size += len(piece)
    return digest.hexdigest(), size
