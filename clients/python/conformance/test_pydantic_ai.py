"""The suite of Pydantic AI's workspaces: on sessions, and on its own backend for E2B with a server for E2B."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from pydantic_ai.workspaces import WorkspaceBackend, WorkspaceRef
from pydantic_ai.workspaces.conformance import WorkspaceBackendSuite
from pydantic_ai_harness.e2b_sandbox import E2BSandbox, E2BSandboxBackend

from glovebox.plugins.pydantic_ai import GloveboxSandbox, GloveboxSandboxBackend


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Workspaces(WorkspaceBackendSuite):
    """The suite with every rule enabled: each test has workspaces of its own, which are ended after it."""

    capability: GloveboxSandbox | E2BSandbox
    kind: type[GloveboxSandboxBackend] | type[E2BSandboxBackend]

    @pytest.fixture
    async def fresh_backend(self) -> AsyncIterator[Callable[[], WorkspaceBackend]]:
        made: list[WorkspaceBackend] = []

        def make() -> WorkspaceBackend:
            made.append(self.kind())
            return made[-1]

        yield make
        for each in made:
            if each.ref is not None:
                await self.capability.destroy(each.ref)

    @pytest.fixture
    def backend(self, fresh_backend: Callable[[], WorkspaceBackend]) -> WorkspaceBackend:
        return fresh_backend()

    @pytest.fixture
    def attach_backend(self) -> Callable[[WorkspaceRef], WorkspaceBackend]:
        return self.capability.backend

    @pytest.fixture
    def destroy_environment(self) -> Callable[[WorkspaceBackend], Awaitable[None]]:
        async def destroy(backend: WorkspaceBackend) -> None:
            assert backend.ref is not None
            await self.capability.destroy(backend.ref)

        return destroy


class TestGlovebox(Workspaces):
    capability = GloveboxSandbox()
    kind = GloveboxSandboxBackend


class TestE2B(Workspaces):
    capability = E2BSandbox()
    kind = E2BSandboxBackend
