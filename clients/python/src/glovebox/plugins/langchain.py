"""Sessions as the sandboxes of LangChain's deep agents, and a tool that runs code in one.

>>> import glovebox
>>> from deepagents import create_deep_agent
>>> from glovebox.plugins.langchain import GloveboxSandbox
>>> with glovebox.Session() as session:
...     agent = create_deep_agent(model="anthropic:claude-opus-5-5", backend=GloveboxSandbox(session))
...     agent.invoke({"messages": [("user", "Count the primes below a million.")]})
"""

from __future__ import annotations

from collections.abc import Iterator

from deepagents.backends.protocol import ExecuteResponse, FileDownloadResponse, FileUploadResponse
from deepagents.backends.sandbox import BaseSandbox
from langchain_core.tools import StructuredTool

from glovebox import Session
from glovebox.session import CommandResult, Execution

_OUTPUT = 10 << 20  # bytes of a command that an agent is given
_TOLD = 64 << 10  # characters of a run of code that a model gets
_TIMED_OUT = 124  # as timeout(1) exits
_RUN_PYTHON = """Runs Python in a sandbox, and returns what it prints and the value of the last expression.
What the code defines is there for the next call."""


class GloveboxSandbox(BaseSandbox):
    """A session as the sandbox of an agent, whose tools for files need a Python in its image.

    Args:
        session: Whoever made it ends it.
        timeout: Seconds that a command may take, unless the call says otherwise; 0 is without bound.
    """

    def __init__(self, session: Session, *, timeout: int = 1800) -> None:
        self._session = session
        self._timeout = timeout

    @property
    def id(self) -> str:
        """The id of the session."""
        return self._session.open().id

    def execute(self, command: str, *, timeout: int | None = None) -> ExecuteResponse:
        """Runs a command of a shell to its end."""
        seconds = self._seconds(timeout)
        return _response(self._session.exec(command, timeout=seconds), seconds)

    async def aexecute(self, command: str, *, timeout: int | None = None) -> ExecuteResponse:
        """Runs a command of a shell to its end."""
        seconds = self._seconds(timeout)
        return _response(await self._session.exec.aio(command, timeout=seconds), seconds)

    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        """Writes files, each of which may fail by itself."""
        return [FileUploadResponse(path=path, error=self._upload(path, content)) for path, content in files]

    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        """Reads files, each of which may fail by itself."""
        return [self._download(path) for path in paths]

    def _upload(self, path: str, content: bytes) -> str | None:
        if not path.startswith("/"):
            return "invalid_path"
        try:
            self._session.files.write(path, content)
        except OSError as error:
            return _word(error)
        return None

    def _download(self, path: str) -> FileDownloadResponse:
        if not path.startswith("/"):
            return FileDownloadResponse(path=path, error="invalid_path")
        try:
            return FileDownloadResponse(path=path, content=self._session.files.read(path))
        except OSError as error:
            return FileDownloadResponse(path=path, error=_word(error))

    def _seconds(self, timeout: int | None) -> int | None:
        seconds = self._timeout if timeout is None else timeout
        if seconds < 0:
            raise ValueError(f"timeout: expected seconds from 0 on, got {seconds}")
        return seconds or None


def python_tool(session: Session, *, timeout: float = 60) -> StructuredTool:
    """Makes a tool ``run_python``, which executes code in the interpreter of a session.

    >>> agent = create_agent("anthropic:claude-opus-5-5", tools=[python_tool(session)])
    """

    def run_python(code: str) -> str:
        return _told(session.run(code, timeout=timeout))

    async def arun_python(code: str) -> str:
        return _told(await session.run.aio(code, timeout=timeout))

    return StructuredTool.from_function(run_python, coroutine=arun_python, name="run_python", description=_RUN_PYTHON)


def _response(result: CommandResult, seconds: int | None) -> ExecuteResponse:
    written = result.stdout_bytes + result.stderr_bytes
    output = written[:_OUTPUT].decode("utf-8", "replace")
    if result.timed_out:
        output += f"\nThe command did not end in {seconds} seconds.\n"
    exit_code = _TIMED_OUT if result.timed_out else result.exit_code
    return ExecuteResponse(output=output, exit_code=exit_code, truncated=len(written) > _OUTPUT)


def _word(error: OSError) -> str:
    """Returns the word of the framework for why a file could not be used."""
    if isinstance(error, FileNotFoundError):
        return "file_not_found"
    if isinstance(error, PermissionError):
        return "permission_denied"
    return "is_directory" if isinstance(error, IsADirectoryError) else "invalid_path"


def _told(done: Execution) -> str:
    text = "\n".join(part.rstrip("\n") for part in _parts(done) if part)
    return text if len(text) <= _TOLD else f"{text[:_TOLD]}\n(of {len(text)} characters)"


def _parts(done: Execution) -> Iterator[str]:
    yield done.stdout
    yield done.stderr
    yield from (result.text or "" for result in done.results)
    if done.error is not None:
        yield done.error.traceback
