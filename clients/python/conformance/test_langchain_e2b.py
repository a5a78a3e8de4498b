"""The suite of LangChain's sandboxes with langchain-e2b, on a server for E2B."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from e2b import Sandbox
from langchain_e2b import E2BSandbox
from langchain_tests.integration_tests import SandboxIntegrationTests


class TestE2B(SandboxIntegrationTests):
    @pytest.fixture(scope="class")
    def sandbox(self) -> Iterator[E2BSandbox]:
        with Sandbox.create() as sandbox:
            yield E2BSandbox(sandbox=sandbox)
