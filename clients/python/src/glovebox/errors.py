"""Errors: one class for each code, all below GloveboxError. Written by make generate.

>>> try:
...     glovebox.sandbox.create(name="box", packages=["no-such-package-7"], code="x = 1", outputs={"x": int}).run()
... except glovebox.errors.InvalidPackageError as error:
...     print(error.package_name, error.original_error)
"""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ._error import GloveboxError as GloveboxError
from ._error import Outcome as Outcome
from ._error import PackageError, SourceError, error_of
from ._unsupported import UnsupportedType as UnsupportedType


class InvalidTaskError(GloveboxError, ValueError):
    """The description of the task contradicts itself or has a field that cannot be right."""

    code = "invalid_task"
    hint = "correct the named field"
    retryable = False
    outcome = "not_started"


class InvalidTypeError(GloveboxError, TypeError):
    """A declared type is not one that can cross the boundary."""

    code = "invalid_type"
    hint = "use int, float, str, bool, bytes, datetime, timedelta, None, File, Dir, DataFrame, list[T], dict[str, T], tuple[...], Optional[T], Union[...] or Any"
    retryable = False
    outcome = "not_started"


class InvalidInputError(GloveboxError, ValueError):
    """An input is missing, unknown or does not fit its declared type."""

    code = "invalid_input"
    hint = "pass exactly the declared inputs with values of their types"
    retryable = False
    outcome = "not_started"


class SecretNotFoundError(GloveboxError, LookupError):
    """A secret that the task names is not stored."""

    code = "secret_not_found"
    hint = "store it with: glovebox secret set NAME"
    retryable = False
    outcome = "not_started"


class SecretUnreadableError(GloveboxError):
    """The store of secrets is damaged, or open to other users."""

    code = "secret_unreadable"
    hint = "store the secret again with: glovebox secret set NAME"
    retryable = False
    outcome = "not_started"


class IsolationUnavailableError(GloveboxError):
    """The host cannot enforce an isolation or a limit that the run asks for."""

    code = "isolation_unavailable"
    hint = "run: glovebox doctor"
    retryable = False
    outcome = "not_started"


class InvalidPackageError(PackageError):
    """A package does not exist, has no such version, or is not a valid requirement."""

    code = "invalid_package"
    hint = "check the name and the version of the package"
    retryable = False
    outcome = "not_started"


class ResolutionFailedError(GloveboxError):
    """The packages exist but their requirements contradict each other."""

    code = "resolution_failed"
    hint = "loosen or remove one of the pins that the resolver names"
    retryable = False
    outcome = "not_started"


class BuildFailedError(GloveboxError):
    """A step of the image build failed."""

    code = "build_failed"
    hint = "read the last lines of the step's output"
    retryable = False
    outcome = "not_started"


class IndexUnavailableError(GloveboxError):
    """A package index or mirror could not be reached."""

    code = "index_unavailable"
    hint = "check the network and the index settings, then try again"
    retryable = True
    outcome = "not_started"


class ImageNotFoundError(GloveboxError, LookupError):
    """The image does not exist where it was looked for."""

    code = "image_not_found"
    hint = "check the reference, or leave it out to have an image built"
    retryable = False
    outcome = "not_started"


class ImageInvalidError(GloveboxError):
    """The image is damaged, too large or not made for this platform."""

    code = "image_invalid"
    hint = "use another image"
    retryable = False
    outcome = "not_started"


class RegistryDeniedError(GloveboxError):
    """The registry refused the credentials or the access."""

    code = "registry_denied"
    hint = "log in to the registry or name a secret with credentials"
    retryable = False
    outcome = "not_started"


class RegistryUnavailableError(GloveboxError):
    """The registry could not be reached."""

    code = "registry_unavailable"
    hint = "check the network, then try again"
    retryable = True
    outcome = "not_started"


class BaseUnavailableError(GloveboxError):
    """No base image was found: no registry, no image on disk, no Debian mirror."""

    code = "base_unavailable"
    hint = "name a base (--base, or Image.from_base in Python), or run: glovebox doctor"
    retryable = False
    outcome = "not_started"


class StorageFullError(GloveboxError):
    """The disk of the host is full."""

    code = "storage_full"
    hint = "free space, for example with: glovebox prune"
    retryable = True
    outcome = "not_started"


class PythonMissingError(GloveboxError):
    """The image has no Python, and the mode needs one."""

    code = "python_missing"
    hint = "use an image with python3, or run a command"
    retryable = False
    outcome = "failed"


class CommandNotFoundError(GloveboxError):
    """The command does not exist in the image or cannot be executed."""

    code = "command_not_found"
    hint = "check the command, or install its package with --apt"
    retryable = False
    outcome = "failed"


class CheckFailedError(GloveboxError):
    """The code of an orchestrator would fail, as the checker found before it was started."""

    code = "check_failed"
    hint = "correct the lines that it names; to start it all the same, skip the check (--no-check, skip_check: true, check=False in Python)"
    retryable = False
    outcome = "not_started"


class CodeSyntaxError(SourceError):
    """The code is not valid Python."""

    code = "syntax_error"
    hint = "correct the line that the error shows"
    retryable = False
    outcome = "failed"


class PythonExceptionError(GloveboxError):
    """The code raised an exception that it did not catch."""

    code = "python_exception"
    hint = "read the traceback; its lines are those of your code"
    retryable = False
    outcome = "failed"


class NonzeroExitError(GloveboxError):
    """The program ended with a status other than 0."""

    code = "nonzero_exit"
    hint = "read the last lines of its standard error"
    retryable = False
    outcome = "failed"


class SignaledError(GloveboxError):
    """The program was ended by a signal of its own."""

    code = "signaled"
    hint = "read the last lines of its standard error"
    retryable = False
    outcome = "failed"


class TaskTimeoutError(GloveboxError, TimeoutError):
    """The run took longer than its time limit and was killed."""

    code = "timeout"
    hint = "raise the time limit or do less in one run"
    retryable = False
    outcome = "failed"


class OOMError(GloveboxError):
    """The run needed more memory than its limit and was killed."""

    code = "out_of_memory"
    hint = "raise the memory limit above the measured peak"
    retryable = False
    outcome = "failed"


class MissingOutputError(GloveboxError):
    """The program ended well but a declared output is not there."""

    code = "missing_output"
    hint = "assign the variable, or write the file, of that name"
    retryable = False
    outcome = "failed"


class BadOutputError(GloveboxError):
    """A declared output is there but does not fit its type."""

    code = "bad_output"
    hint = "make the value fit the declared type, or change the declaration"
    retryable = False
    outcome = "failed"


class OutputTooLargeError(GloveboxError):
    """The outputs are larger than their limit."""

    code = "output_too_large"
    hint = "write less, or raise the output limit"
    retryable = False
    outcome = "failed"


class CellLostError(GloveboxError):
    """The cell ended without a report."""

    code = "cell_lost"
    hint = "try again; if it happens again, run: glovebox doctor"
    retryable = True
    outcome = "unknown"


class FunctionFailedError(GloveboxError):
    """The function returned an error."""

    code = "function_failed"
    hint = "read the message; it is that of the function"
    retryable = False
    outcome = "failed"


class CallFailedError(GloveboxError):
    """A tool that the code called failed, and the code did not handle it."""

    code = "call_failed"
    hint = "read the error of the call; resume the run when its cause is gone"
    retryable = False
    outcome = "failed"


class LimitExceededError(GloveboxError):
    """The code did more than its limits allow."""

    code = "limit_exceeded"
    hint = "do less in one run, or raise the limit that the error names"
    retryable = False
    outcome = "failed"


class ReplayMismatchError(GloveboxError):
    """The code or its arguments differ from what the journal of the run holds."""

    code = "replay_mismatch"
    hint = "run the old code again, or start a new run from this one with: glovebox rerun"
    retryable = False
    outcome = "failed"


class OutcomeUnknownError(GloveboxError):
    """It is unknown whether a call that was under way took effect, and its task is not declared idempotent."""

    code = "outcome_unknown"
    hint = "find out whether it was done, and say so with: glovebox resolve (run.resolve in Python); or do it again with: glovebox resume --retry-unknown (retry_unknown=True)"
    retryable = False
    outcome = "unknown"


class ApprovalRefusedError(GloveboxError, PermissionError):
    """A person refused what asks for approval, or nobody decided before its deadline."""

    code = "approval_refused"
    hint = "read the reason; ask those who decide, then start it again"
    retryable = False
    outcome = "not_started"


class TaskInterruptedError(GloveboxError):
    """The process that executed the run ended before the run did."""

    code = "interrupted"
    hint = "continue with: glovebox resume RUN"
    retryable = True
    outcome = "unknown"


class WorkerUnavailableError(GloveboxError):
    """No process offers the function."""

    code = "worker_unavailable"
    hint = "start the process that offers it, then try again"
    retryable = True
    outcome = "not_started"


class WorkerLostError(GloveboxError):
    """The process that executed the function ended or stopped answering."""

    code = "worker_lost"
    hint = "start the process again; declare the task idempotent if it may be repeated"
    retryable = True
    outcome = "unknown"


class ModelUnavailableError(GloveboxError):
    """The provider of a model could not be reached, is overloaded, or failed."""

    code = "model_unavailable"
    hint = "try again later, or name another model"
    retryable = True
    outcome = "failed"


class ModelRefusedError(GloveboxError):
    """The provider of a model refused the request, as for its key, its name or its size."""

    code = "model_refused"
    hint = "correct what the provider's message names"
    retryable = False
    outcome = "failed"


class MCPUnavailableError(GloveboxError):
    """An MCP server could not be reached, did not start, or does not speak the protocol."""

    code = "mcp_unavailable"
    hint = "check that the server runs and how it is reached, then try again"
    retryable = True
    outcome = "not_started"


class MCPLostError(GloveboxError):
    """An MCP server ended, fell silent or spoke nonsense during a call."""

    code = "mcp_lost"
    hint = "look at what the server did; declare the task idempotent if it may be repeated"
    retryable = True
    outcome = "unknown"


class SessionEndedError(GloveboxError):
    """The session is over: it was killed, its time was over, or it was lost with the process that held it."""

    code = "session_ended"
    hint = "make a new session, from a snapshot if there is one"
    retryable = False
    outcome = "not_started"


class NotFoundError(GloveboxError, LookupError):
    """There is nothing of that name or id."""

    code = "not_found"
    hint = "list what there is"
    retryable = False
    outcome = "not_started"


class ConflictError(GloveboxError):
    """What was asked for contradicts what is there already."""

    code = "conflict"
    hint = "look at what is there, then ask again"
    retryable = False
    outcome = "not_started"


class OverloadedError(GloveboxError):
    """Too much is waiting already."""

    code = "overloaded"
    hint = "wait, then try again"
    retryable = True
    outcome = "not_started"


class UnauthorizedError(GloveboxError):
    """The server did not accept the token, or refuses this caller."""

    code = "unauthorized"
    hint = "set GLOVEBOX_TOKEN to the token of the server"
    retryable = False
    outcome = "not_started"


class ForbiddenError(GloveboxError):
    """The token is one of the server, and is not good for this."""

    code = "forbidden"
    hint = "ask whoever has the server for a token with the scope that the error names"
    retryable = False
    outcome = "not_started"


class RequestInvalidError(GloveboxError):
    """The server could not understand the request."""

    code = "request_invalid"
    hint = "correct the field that the error names"
    retryable = False
    outcome = "not_started"


class RequestTooLargeError(GloveboxError):
    """The request is larger than the server accepts."""

    code = "request_too_large"
    hint = "send large data as files"
    retryable = False
    outcome = "not_started"


class ServerUnavailableError(GloveboxError, ConnectionError):
    """The server could not be reached, or did not answer."""

    code = "server_unavailable"
    hint = "check GLOVEBOX_URL and whether the server runs, then try again"
    retryable = True
    outcome = "unknown"


class StorageCorruptError(GloveboxError):
    """What is stored is damaged."""

    code = "storage_corrupt"
    hint = "restore the file that the error names from a copy, or move it away to begin anew"
    retryable = False
    outcome = "not_started"


class StorageNewerError(GloveboxError):
    """What is stored was written by a newer version of Glovebox."""

    code = "storage_newer"
    hint = "use that version"
    retryable = False
    outcome = "not_started"


class HomeBusyError(GloveboxError):
    """Another process uses the home directory in a way that admits no other."""

    code = "home_busy"
    hint = "stop that process, or use another GLOVEBOX_HOME"
    retryable = True
    outcome = "not_started"


class CanceledError(GloveboxError):
    """The caller cancelled the run."""

    code = "canceled"
    hint = "continue with: glovebox resume RUN (run.resume in Python), if that was not meant"
    retryable = False
    outcome = "unknown"


class InternalError(GloveboxError):
    """Glovebox itself failed."""

    code = "internal"
    hint = "this is a defect: please report it with the whole message"
    retryable = False
    outcome = "unknown"


# Other names of the same.
BaseRuntimeError = GloveboxError
ImageBuildError = BuildFailedError
ActionAbortedError = CanceledError

BY_CODE: Final[Mapping[str, type[GloveboxError]]] = {
    "invalid_task": InvalidTaskError,
    "invalid_type": InvalidTypeError,
    "invalid_input": InvalidInputError,
    "secret_not_found": SecretNotFoundError,
    "secret_unreadable": SecretUnreadableError,
    "isolation_unavailable": IsolationUnavailableError,
    "invalid_package": InvalidPackageError,
    "resolution_failed": ResolutionFailedError,
    "build_failed": BuildFailedError,
    "index_unavailable": IndexUnavailableError,
    "image_not_found": ImageNotFoundError,
    "image_invalid": ImageInvalidError,
    "registry_denied": RegistryDeniedError,
    "registry_unavailable": RegistryUnavailableError,
    "base_unavailable": BaseUnavailableError,
    "storage_full": StorageFullError,
    "python_missing": PythonMissingError,
    "command_not_found": CommandNotFoundError,
    "check_failed": CheckFailedError,
    "syntax_error": CodeSyntaxError,
    "python_exception": PythonExceptionError,
    "nonzero_exit": NonzeroExitError,
    "signaled": SignaledError,
    "timeout": TaskTimeoutError,
    "out_of_memory": OOMError,
    "missing_output": MissingOutputError,
    "bad_output": BadOutputError,
    "output_too_large": OutputTooLargeError,
    "cell_lost": CellLostError,
    "function_failed": FunctionFailedError,
    "call_failed": CallFailedError,
    "limit_exceeded": LimitExceededError,
    "replay_mismatch": ReplayMismatchError,
    "outcome_unknown": OutcomeUnknownError,
    "approval_refused": ApprovalRefusedError,
    "interrupted": TaskInterruptedError,
    "worker_unavailable": WorkerUnavailableError,
    "worker_lost": WorkerLostError,
    "model_unavailable": ModelUnavailableError,
    "model_refused": ModelRefusedError,
    "mcp_unavailable": MCPUnavailableError,
    "mcp_lost": MCPLostError,
    "session_ended": SessionEndedError,
    "not_found": NotFoundError,
    "conflict": ConflictError,
    "overloaded": OverloadedError,
    "unauthorized": UnauthorizedError,
    "forbidden": ForbiddenError,
    "request_invalid": RequestInvalidError,
    "request_too_large": RequestTooLargeError,
    "server_unavailable": ServerUnavailableError,
    "storage_corrupt": StorageCorruptError,
    "storage_newer": StorageNewerError,
    "home_busy": HomeBusyError,
    "canceled": CanceledError,
    "internal": InternalError,
}


def from_problem(document: Mapping[str, Any]) -> GloveboxError:
    """Makes an error of what the engine says of it: the error of a run, or an application/problem+json.

    A code that this version does not know becomes a GloveboxError.
    """
    return error_of(BY_CODE, document)
