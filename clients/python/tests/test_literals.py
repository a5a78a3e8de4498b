"""Literal types: values are held to them on the way in and on the way out."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Optional, Union

import pytest

import engines
import glovebox
from glovebox import errors, sandbox
from glovebox._values.annotations import type_of
from glovebox._values.codec import decode, encode, loads
from glovebox._values.signature_json import signature_json
from glovebox._values.types import Param, Signature, Type
from glovebox._values.value import BadValue, spelling

env = glovebox.TaskEnvironment(name="literal")
Mode = Literal["fast", "slow"]


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    home = os.environ.get("GLOVEBOX_TEST_HOME")
    with engines.engine("child", Path(home) if home else tmp_path_factory.mktemp("home")):
        yield


@env.task
def pick(mode: Mode, size: Optional[Literal[1, 2]] = None) -> Literal["done"]:
    return "done" if mode == "fast" else mode  # type: ignore[return-value]  # pyright: ignore


@pytest.mark.parametrize(
    ("annotation", "engine_type", "shown"),
    [
        (Mode, "str", "Literal['fast', 'slow']"),
        (Literal[1], "int", "Literal[1]"),
        (Optional[Mode], "Optional[str]", "Optional[str]"),
        (Literal["a", None], "Optional[str]", "Optional[str]"),
        (Union[Literal["a"], Literal["b"]], "str", "Literal['a', 'b']"),
        (Union[Literal["a"], str], "str", "str"),
        (Union[str, Literal["a"]], "str", "str"),
    ],
)
def test_types(annotation: Any, engine_type: str, shown: str) -> None:
    assert (str(type_of(annotation)), spelling(type_of(annotation))) == (engine_type, shown)


@pytest.mark.parametrize(
    ("annotation", "good", "bad"),
    [
        (Mode, "fast", "other"),
        (Literal[1, 2], 2, 3),
        (Literal[1], 1, True),
        (Optional[Mode], None, "other"),
        (Union[Mode, int], 7, "other"),
        (list[Mode], ["fast"], ["fast", "other"]),
        (set[Mode], {"fast"}, {"other"}),
        (tuple[Mode, int], ("slow", 1), ("other", 1)),
        (dict[Mode, int], {"fast": 1}, {"other": 1}),
        (dict[str, Mode], {"a": "fast"}, {"a": "other"}),
    ],
)
def test_values_both_ways(annotation: Any, good: Any, bad: Any) -> None:
    t = type_of(annotation)
    assert decode(t, _node(t, good)) == good
    with pytest.raises(BadValue):
        encode(t, bad)
    if annotation != Literal[1]:  # True and 1 are two things in JSON, so there is nothing to decode
        plain = Type.parse(str(t))
        with pytest.raises(BadValue):
            decode(t, _node(plain, bad))


def _node(t: Any, value: Any) -> Any:
    return loads(encode(t, value))


class Size(enum.Enum):
    SMALL = 1
    LARGE = 10


@pytest.mark.parametrize(
    ("annotation", "choices"),
    [
        (Mode, ["fast", "slow"]),
        (Optional[Mode], ["fast", "slow"]),
        (Size, [1, 10]),
        (Optional[Size], [1, 10]),
        (Union[Mode, int], None),
        (list[Size], None),
        (Literal[tuple(range(101))], None),  # pyright: ignore
        (str, None),
    ],
)
def test_the_engine_knows_the_choices(annotation: Any, choices: list[object] | None) -> None:
    node = signature_json(Signature((Param("x", type_of(annotation)),), (Param("o0", type_of(Mode)),)))
    assert node["inputs"][0].get("choices") == choices
    assert "choices" not in node["outputs"][0]


def test_a_default_is_held_to_it() -> None:
    with pytest.raises(TypeError, match=r"expected Literal\['a'\], got str 'z'"):

        @env.task
        def wrong(mode: Literal["a"] = "z") -> int:  # type: ignore[assignment]  # pyright: ignore
            return 1


def test_functions() -> None:
    assert glovebox.run(pick, "fast").outputs()[0] == "done"
    with pytest.raises(errors.InvalidInputError, match=r"mode: expected Literal\['fast', 'slow'\], got str 'wild'"):
        glovebox.run(pick, "wild")  # type: ignore[call-overload]  # pyright: ignore
    with pytest.raises(errors.InvalidInputError, match=r"size: expected Literal\[1, 2\], got int 3"):
        glovebox.run(pick, "fast", 3)  # type: ignore[call-overload]  # pyright: ignore
    with pytest.raises(errors.BadOutputError, match=r"o0: expected Literal\['done'\], got str 'slow'"):
        glovebox.run(pick, "slow")


def test_orchestrators() -> None:
    with pytest.raises(errors.CallFailedError, match=r"mode: expected Literal\['fast', 'slow'\], got str 'wild'"):
        sandbox.orchestrate_local_sync("pick('wild')", inputs={}, tasks=[pick])
    task = sandbox.orchestrator_from_str("mode", inputs={"mode": Mode}, output=Literal["fast"])
    assert task(mode="fast") == "fast"
    with pytest.raises(errors.BadOutputError, match=r"output o0: expected Literal\['fast'\], got str 'slow'"):
        task(mode="slow")


@pytest.mark.cells
def test_sandboxes_and_functions_in_cells() -> None:
    box = sandbox.create(code="y = x", inputs={"x": str}, outputs={"y": Mode})
    assert box.run(x="fast") == "fast"
    with pytest.raises(errors.BadOutputError, match=r"output y: expected Literal\['fast', 'slow'\], got str 'wild'"):
        box.run(x="wild")
