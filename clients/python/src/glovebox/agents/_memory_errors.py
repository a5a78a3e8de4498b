"""What a memory refuses."""

from __future__ import annotations


class MemoryStoreError(RuntimeError):
    """A memory cannot do what was asked: the path, the size or the place is not one that it has.

    >>> from glovebox.agents import MemoryStore, MemoryStoreError
    >>> try:
    ...     MemoryStore(key="clerk").write_text("../notes.txt", "x")
    ... except MemoryStoreError as error:
    ...     print("refused")
    refused
    """

    __module__ = "glovebox.agents"  # where users find it


class AccessDenied(MemoryStoreError):
    """A path may not be written: it is read-only, or the memory's own.

    >>> from glovebox.agents import AccessDenied, MemoryStore
    >>> memory = MemoryStore(key="clerk", read_only_prefixes=("rules/",))
    >>> try:
    ...     memory.write_text("rules/refunds.md", "always")
    ... except AccessDenied as error:
    ...     print("read-only" in str(error))
    True
    """

    __module__ = "glovebox.agents"


class ConcurrencyError(MemoryStoreError):
    """Something else was written since the caller looked, and nothing was changed.

    ``path`` is what it is about, ``expected_sha`` what the caller knew, and ``actual_sha`` what is there.

    >>> from glovebox.agents import ConcurrencyError, MemoryStore
    >>> memory = MemoryStore(key="clerk")
    >>> meta = memory.write_text("plan.md", "one")
    >>> try:
    ...     memory.write_text("plan.md", "two", expected_sha="")
    ... except ConcurrencyError as error:
    ...     print(error.path, error.actual_sha == meta.sha256)
    plan.md True
    """

    __module__ = "glovebox.agents"

    def __init__(self, path: str, expected_sha: str, actual_sha: str) -> None:
        self.path, self.expected_sha, self.actual_sha = path, expected_sha, actual_sha
        expected, actual = (sha or "nothing" for sha in (expected_sha, actual_sha))
        super().__init__(
            f"{path}: expected to find {expected}, found {actual}: another writer was first; read it again, then write"
        )

    def __reduce__(self) -> tuple[type[ConcurrencyError], tuple[str, str, str]]:
        return type(self), (self.path, self.expected_sha, self.actual_sha)
