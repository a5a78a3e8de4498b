"""Tests that are marked with cells start real ones, and run with GLOVEBOX_TEST_REAL=1."""

import os
from collections.abc import Iterator

import pytest

import engines


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("GLOVEBOX_TEST_REAL"):
        return
    for item in items:
        if item.get_closest_marker("cells"):
            item.add_marker(pytest.mark.skip(reason="set GLOVEBOX_TEST_REAL=1"))


@pytest.fixture(scope="session", autouse=True)
def home_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps tests that name no home out of that of the user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GLOVEBOX_HOME", os.environ.get("GLOVEBOX_TEST_HOME") or str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="module", params=engines.KINDS)
def each_engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Has the tests of a module run with an engine of each kind."""
    if not engines.PROGRAM.exists():
        pytest.skip(f"{engines.PROGRAM} is not built")
    with engines.engine(request.param, tmp_path_factory.mktemp("home")):
        yield
