"""What a sandbox may use and how it is run: resources, retries, time, variables, secrets, cache.

The code of each is ``...`` in the documents. ``with_code`` puts some into its place.
"""

import dataclasses
from typing import Any

import glovebox
import glovebox.sandbox


def with_code(sandbox: Any, code: str) -> Any:
    """Returns the same sandbox with other code."""
    return dataclasses.replace(sandbox, code=code)


def resources() -> None:
    sandbox = glovebox.sandbox.create(
        name="heavy-compute",
        code="...",
        inputs={"data": str},
        outputs={"result": str},
        resources=glovebox.Resources(cpu=4, memory="8Gi"),
    )

    print("resources:", with_code(sandbox, "result = data.upper()").run(data="heavy"))


def retries() -> None:
    sandbox = glovebox.sandbox.create(
        name="flaky-task",
        code="...",
        inputs={"x": int},
        outputs={"y": int},
        retries=3,
    )

    try:
        with_code(sandbox, "raise OSError('flaky')").run(x=1)
    except glovebox.errors.PythonExceptionError as error:
        print("retries:", error.attempts, "attempts")


def timeout() -> None:
    sandbox = glovebox.sandbox.create(
        name="bounded-task",
        code="...",
        inputs={"x": int},
        outputs={"y": int},
        timeout=300,  # 5 minutes
    )

    print("timeout:", with_code(sandbox, "y = x + 1").run(x=1))


def environment_variables() -> None:
    sandbox = glovebox.sandbox.create(
        name="configured-task",
        code="...",
        inputs={"x": int},
        outputs={"y": int},
        env_vars={"LOG_LEVEL": "DEBUG", "FEATURE_FLAG": "true"},
    )

    code = "import os\ny = x + 1 if os.environ['FEATURE_FLAG'] == 'true' else x"
    print("variables:", with_code(sandbox, code).run(x=1))


def secrets() -> None:
    sandbox = glovebox.sandbox.create(
        name="authenticated-task",
        code="...",
        inputs={"query": str},
        outputs={"result": str},
        secrets=[glovebox.Secret(key="api-key", as_env_var="API_KEY")],
    )

    code = "import os\nresult = f\"{query}: {len(os.environ['API_KEY'])} characters\""
    try:
        print("secret:", with_code(sandbox, code).run(query="key"))
    except glovebox.errors.SecretNotFoundError as error:
        print("secret:", error)


def cache() -> None:
    sandbox = glovebox.sandbox.create(
        name="cached-task",
        code="...",
        inputs={"x": int},
        outputs={"y": int},
        cache="auto",      # default — Glovebox decides based on inputs
        # cache="override"  # force re-execution and update cache
        # cache="disable"   # no caching
    )

    random = with_code(sandbox, "import random\ny = random.getrandbits(64)")
    print("cache:", random.run(x=1) == random.run(x=1))


if __name__ == "__main__":
    resources()
    retries()
    timeout()
    environment_variables()
    secrets()
    cache()
