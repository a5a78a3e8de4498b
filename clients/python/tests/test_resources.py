"""Resources and secrets: what the engine is told, and what is refused."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from glovebox import Resources, Secret
from glovebox._tasks.cell_spec import CellSpec
from glovebox._tasks.resources import resources_json
from glovebox._tasks.secret import secrets_json, secrets_of


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (Resources(), {}),
        (Resources(cpu=4, memory="8Gi"), {"cpu": 4.0, "memory": 8 << 30}),
        (Resources(cpu=0.25), {"cpu": 0.25}),
        (Resources(cpu="500m"), {"cpu": 0.5}),
        (Resources(cpu="2"), {"cpu": 2.0}),
        (Resources(cpu="1.5"), {"cpu": 1.5}),
        (Resources(cpu=(1, 4)), {"cpu": 4.0}),
        (Resources(cpu=("500m", 1)), {"cpu": 1.0}),
        (Resources(memory="512Mi"), {"memory": 512 << 20}),
        (Resources(memory="1.5Gi"), {"memory": 3 << 29}),
        (Resources(memory="2G"), {"memory": 2 * 10**9}),
        (Resources(memory="134217728"), {"memory": 1 << 27}),
        (Resources(memory=("1Gi", "4Gi")), {"memory": 4 << 30}),
        (Resources(disk="100k"), {"disk": 100_000}),
        (Resources(pids=64, open_files=256), {"pids": 64, "open_files": 256}),
        (Resources(gpu=0, shm="auto"), {}),
    ],
)
def test_what_the_engine_is_told(given: Resources, told: dict[str, Any]) -> None:
    assert resources_json(given) == told


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cpu", 0), ("cpu", -1), ("cpu", float("nan")), ("cpu", float("inf")), ("cpu", True), ("cpu", "two"),
        ("cpu", "1e3"), ("cpu", "-1"), ("cpu", ""), ("cpu", [1]), ("cpu", (1, 2, 3)), ("cpu", (None, 2)),
        ("cpu", (4, 1)),
        ("memory", 1024), ("memory", "1 Gi"), ("memory", "Gi"), ("memory", "1gi"), ("memory", "-1Gi"), ("memory", "0"),
        ("memory", "2Pi"), ("memory", "9" * 40), ("memory", "1Gi\n"), ("memory", ("2Gi", "1Gi")), ("memory",
        ("1Gi", None)),
        ("disk", 5), ("disk", ("1Gi", "2Gi")), ("pids", 0), ("pids", 1.5), ("pids", True), ("open_files", "many"),
        ("gpu", 1), ("gpu", "A100:4"), ("gpu", True), ("shm", "1Gi"),
    ],
)  # fmt: skip
def test_refused_with_the_field(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{field}\b"):
        Resources(**{field: value})


def test_accelerators_are_refused_in_words() -> None:
    with pytest.raises(ValueError, match="this engine has no accelerators"):
        Resources(gpu="T4:1")


def test_resources_do_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Resources(cpu=1).cpu = 2  # type: ignore[misc]


def test_no_resources_and_something_else() -> None:
    assert resources_json(None) == {}
    with pytest.raises(TypeError, match="expected glovebox.Resources"):
        resources_json({"cpu": 1})


@pytest.mark.parametrize(
    ("secret", "told"),
    [
        (Secret(key="api-key", as_env_var="API_KEY"), [{"name": "api-key", "env": "API_KEY"}]),
        (Secret("api-key"), [{"name": "api-key", "env": "API_KEY"}]),
        (Secret("db", group="prod"), [{"name": "prod_db", "env": "PROD_DB"}]),
        (Secret("db", mount="/run/secrets"), [{"name": "db"}]),
        (Secret("db", mount=Path("/run/secrets"), as_env_var="DB"), [{"name": "db", "env": "DB"}, {"name": "db"}]),
        (Secret("a", hosts=["a.org"]), [{"name": "a", "env": "A", "hosts": ["a.org"]}]),
        (
            Secret("a", hosts=("a.org",), inject="query:k={}", allow=["GET /*"], max_request=1, max_response=2),
            [
                {
                    "name": "a",
                    "env": "A",
                    "hosts": ["a.org"],
                    "inject": "query:k={}",
                    "allow": ["GET /*"],
                    "max_request": 1,
                    "max_response": 2,
                }
            ],
        ),
    ],
)
def test_secrets(secret: Secret, told: list[dict[str, object]]) -> None:
    assert secrets_json([secret]) == told


def test_the_network_allows_the_hosts_of_secrets() -> None:
    first = Secret("a", hosts=["a.org", "https://b.org:8443", "http://c.org", "http://d.org:81"])
    secrets: list[str | Secret] = [first, "token"]
    hosts = ["a.org", "b.org:8443", "c.org:80", "d.org:81"]

    def network(given: str | list[str] | None) -> object:
        spec = CellSpec.of(image=None, resources=None, env_vars=None, secrets=secrets, network=given, isolation=None)
        return spec.members["network"]

    assert network(None) == {"allow": hosts}
    assert network(["x.org", "a.org"]) == {"allow": ["x.org", "a.org", *hosts[1:]]}
    assert network("public") == {"public": True}


def test_a_request_may_be_one_or_several() -> None:
    assert secrets_json("token") == [{"name": "token", "env": "TOKEN"}]
    assert secrets_of(["a", Secret("b")]) == (Secret("a"), Secret("b"))
    assert secrets_of(None) == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"key": ""}, "key of a secret"),
        ({"key": "a b"}, "key of a secret is 'a b'"),
        ({"key": "../x/y"}, "key of a secret"),
        ({"key": "x" * 129}, "key of a secret"),
        ({"key": "x" * 100, "group": "y" * 100}, "1 to 128 characters, with its group"),
        ({"key": None}, "key of a secret is None"),
        ({"key": "a", "group": "b/c"}, "group of a secret"),
        ({"key": "a", "as_env_var": "lower"}, "Invalid environment variable name: lower, must match"),
        ({"key": "a", "as_env_var": "A\n"}, "Invalid environment variable name"),
        ({"key": "a", "as_env_var": ""}, "Invalid environment variable name"),
        ({"key": "api.key"}, "Invalid environment variable name: API.KEY"),
        ({"key": "a", "mount": "/etc"}, "mounted at /run/secrets"),
        ({"key": "a", "inject": "header:A: {}"}, "inject of secret a needs hosts"),
    ],
)
def test_bad_secrets(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Secret(**arguments)


def test_what_is_no_secret() -> None:
    with pytest.raises(TypeError, match=r"secrets\[1\] is 5 \(int\)"):
        secrets_json(["a", 5])  # type: ignore[list-item]


def test_two_secrets_cannot_set_one_variable() -> None:
    with pytest.raises(ValueError, match="two secrets set A"):
        secrets_json([Secret("a"), Secret("b", as_env_var="A")])
