"""Sessions as what runs the code of smolagents, with tools that stay in this process.

>>> from smolagents import CodeAgent
>>> from glovebox.plugins.smolagents import GloveboxExecutor
>>> with CodeAgent(tools=[search], model=model, executor=GloveboxExecutor()) as agent:
...     agent.run("How many primes are below a million?")
"""

from __future__ import annotations

import builtins
import contextlib
import contextvars
import inspect
import os
import select
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from smolagents import serialization
from smolagents.local_python_executor import CodeOutput, InterpreterError, PythonExecutor
from smolagents.serialization import SafeSerializer

from glovebox import Session
from glovebox.session import Context, Execution

_FINAL = "final_answer"
_LIMIT = 16 << 20  # bytes of the arguments of a call, or of what comes of it


class GloveboxExecutor(PythonExecutor):
    """Runs the code of an agent in a session, step by step.

    The tools of the agent, and the agents that it manages, stay here: a call in the code is carried out in this
    process, and what it returns or raises comes back. Arguments and results are what smolagents itself sends to a
    sandbox: JSON with types, and at most 16 MiB. Calls are answered while a step is under way, and only those of the
    agent's own tools. A module can be imported if the image of the session has it.

    Args:
        session: Whoever made it ends it. Without one there is one of its own, which ``cleanup`` ends.
        timeout: Seconds that a step may take.
    """

    def __init__(self, session: Session | None = None, *, timeout: float | None = None) -> None:
        self.state: dict[str, Any] = {}  # where an agent looks for what was printed before an error
        self._own = session is None
        self._session = Session() if session is None else session
        self._timeout = timeout
        self._context: Context | None = None
        self._port = 0
        self._host = _Host()
        self._way: threading.Thread | None = None

    def send_tools(self, tools: Mapping[str, Callable[..., Any]]) -> None:
        """Grants these tools, and no other ones."""
        self._host.granted = dict(tools)
        self._prepare(f"globals().update(glovebox_tools.named({sorted(tools)!r}))")

    def send_variables(self, variables: dict[str, Any]) -> None:
        """Gives variables to the code."""
        if variables:
            given = SafeSerializer.dumps(variables)
            self._prepare(f"globals().update(glovebox_tools.SafeSerializer.loads({given!r}))")

    def __call__(self, code_action: str) -> CodeOutput:
        """Runs one step."""
        context = self._ready()
        with self._host.step() as answers:
            done = context.run(code_action, timeout=self._timeout)
        logs = done.stdout + done.stderr
        self.state["_print_outputs"] = logs
        if done.error is None:
            return CodeOutput(output=done.text, logs=logs, is_final_answer=False)
        if done.error.name == _FinalAnswer.__name__ and answers:
            return CodeOutput(output=answers[-1], logs=logs, is_final_answer=True)
        raise InterpreterError(f"{done.error.name}: {done.error.value}\n{done.error.traceback}")

    def cleanup(self) -> None:
        """Ends the session, if it is its own."""
        if self._own:
            self._session.kill()

    def _prepare(self, code: str) -> Execution:
        return self._ready().run(f"import glovebox_tools\n{code}\ndel glovebox_tools").check()

    def _ready(self) -> Context:
        """Makes what there is not yet: the interpreter, and the way from its tools to ours."""
        if self._context is None:
            self._context = self._session.context()
            self._port = int(self._context.run(_SETUP).check().stdout)
        if self._way is None or not self._way.is_alive():
            connection = self._session.dial(self._port)
            self._way = threading.Thread(target=self._host.serve, args=(connection,), name="tools", daemon=True)
            self._way.start()
        return self._context


class _Host:
    """The side of the tools that is here. What it gets comes from unreviewed code."""

    def __init__(self) -> None:
        self.granted: dict[str, Callable[..., Any]] = {}
        self._step: contextvars.Context | None = None
        self._answers: list[Any] = []

    @contextlib.contextmanager
    def step(self) -> Iterator[list[Any]]:
        """Answers calls, with the context variables of the caller. Gives the final answers that the code makes."""
        self._step, self._answers = contextvars.copy_context(), []
        try:
            yield self._answers
        finally:
            self._step = None

    def serve(self, way: socket.socket) -> None:
        """Answers calls until the connection ends."""
        with way, contextlib.suppress(OSError, EOFError):
            while True:
                _send(way, self._reply(_receive(way)))

    def _reply(self, request: bytes) -> bytes:
        try:
            reply = SafeSerializer.dumps(self._called(SafeSerializer.loads(request.decode()))).encode()
            if len(reply) <= _LIMIT:
                return reply
            error: Exception = ValueError(f"the tool returned more than {_LIMIT >> 20} MiB")
        except Exception as raised:  # whatever a tool raises
            error = raised
        return SafeSerializer.dumps({"error": type(error).__name__, "message": str(error)[:10_000]}).encode()

    def _called(self, request: Any) -> dict[str, Any]:
        step, name = self._step, request["tool"]
        if step is None:
            raise RuntimeError("no step of the agent is under way")
        if name not in self.granted:
            raise NameError(f"the agent has no tool {name!r}")
        value = step.copy().run(self.granted[name], *request["args"], **request["kwargs"])
        if name != _FINAL:
            return {"value": value}
        self._answers.append(value)
        return {"final": True}


# The rest of this file is executed in the session, too.


class _FinalAnswer(BaseException):
    """Ends the code: the agent has its answer."""


class _Bridge:
    """The side of the tools that is in the session."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=8)
        self._listener.settimeout(10)
        self.port = self._listener.getsockname()[1]
        self._way: socket.socket | None = None
        self._turn = threading.Lock()
        self._pid = os.getpid()

    def named(self, names: list[str]) -> dict[str, Callable[..., Any]]:
        """Returns functions that call tools."""
        return {name: self._function(name) for name in names}

    def _function(self, name: str) -> Callable[..., Any]:
        def tool(*args: Any, **kwargs: Any) -> Any:
            return self._call({"tool": name, "args": list(args), "kwargs": kwargs})

        tool.__name__ = tool.__qualname__ = name
        return tool

    def _call(self, request: dict[str, Any]) -> Any:
        data = SafeSerializer.dumps(request).encode()
        if len(data) > _LIMIT:
            raise ValueError(f"the arguments of a tool have more than {_LIMIT >> 20} MiB")
        reply = SafeSerializer.loads(self._exchanged(data).decode())
        if "error" in reply:
            kind = getattr(builtins, reply["error"], None)
            if isinstance(kind, type) and issubclass(kind, Exception):
                raise kind(reply["message"])
            raise RuntimeError(f"{reply['error']}: {reply['message']}")
        if "final" in reply:
            raise _FinalAnswer
        return reply["value"]

    def _exchanged(self, data: bytes) -> bytes:
        if os.getpid() != self._pid:
            raise RuntimeError("tools are called in the process of the code, not in another one")
        with self._turn:
            try:
                # A connection that waits takes the place of one that broke, as by a pause.
                if self._way is None or select.select([self._listener], [], [], 0)[0]:
                    self._leave()
                    self._way, _ = self._listener.accept()
                _send(self._way, data)
                return _receive(self._way)
            except BaseException:  # in the middle of something: what comes now belongs to it
                self._leave()
                raise

    def _leave(self) -> None:
        if self._way is not None:
            self._way.close()
        self._way = None


def _send(way: socket.socket, data: bytes) -> None:
    way.sendall(struct.pack("<I", len(data)) + data)


def _receive(way: socket.socket) -> bytes:
    (size,) = struct.unpack("<I", _exactly(way, 4))
    if size > _LIMIT:
        raise EOFError("a message is too large")
    return _exactly(way, size)


def _exactly(way: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = way.recv(min(size - len(data), 1 << 20))
        if not piece:
            raise EOFError("the other side has gone")
        data += piece
    return bytes(data)


_IN_CELL = "\n\n".join(
    [
        "from __future__ import annotations",
        "import builtins, os, select, socket, struct, threading",
        f"_LIMIT = {_LIMIT}",
        *(inspect.getsource(each) for each in (serialization, _FinalAnswer, _Bridge, _send, _receive, _exactly)),
        "bridge = _Bridge()\nnamed = bridge.named",
    ]
)
_SETUP = f"""
import sys, types
glovebox_tools = sys.modules["glovebox_tools"] = types.ModuleType("glovebox_tools")
exec({_IN_CELL!r}, glovebox_tools.__dict__)
print(glovebox_tools.bridge.port)
del glovebox_tools, sys, types
"""
