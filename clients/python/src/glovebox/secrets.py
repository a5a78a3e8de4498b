"""The secrets that the engine has stored. Tasks name those that they are given: see ``glovebox.Secret``.

>>> glovebox.secrets.set("api-key", os.environ["API_KEY"])
>>> glovebox.secrets.list()
['api-key']
>>> glovebox.secrets.delete("api-key")

Values go to the engine and never come back. Each function is called plainly, or awaited as ``.aio``.
"""

from __future__ import annotations

from ._link.current import current_engine
from ._process.loop import syncify

__all__ = ["delete", "list", "set"]

_Names = list[str]  # list is a function below


async def _set(name: str, value: str | bytes) -> None:
    """Stores a secret, in the place of the one that had its name.

    Args:
        name: Letters, digits, ``.``, ``_`` and ``-``. A ``Secret`` with a group has the name ``GROUP_KEY``.
        value: Its value, as it is: a newline at its end is a part of it.
    """
    if not isinstance(value, (str, bytes)):
        raise TypeError(f"value of secret {name!r}: expected str or bytes, got {type(value).__name__}")
    engine = await current_engine()
    await engine.set_secret(_name(name), value.encode() if isinstance(value, str) else value)


async def _list() -> _Names:
    """Returns the names of the stored secrets, sorted."""
    return sorted(await (await current_engine()).secrets())


async def _delete(name: str) -> None:
    """Removes a stored secret.

    Raises:
        SecretNotFoundError, NotFoundError: There is none of that name.
    """
    await (await current_engine()).delete_secret(_name(name))


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"name of a secret: expected str, got {name!r}")
    return name


for _function in (_set, _list, _delete):
    _function.__name__ = _function.__qualname__ = _function.__name__[1:]  # what help() calls them

set = syncify(_set)
list = syncify(_list)
delete = syncify(_delete)
