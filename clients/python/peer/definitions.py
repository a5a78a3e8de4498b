"""Functions for the entries. The source of those of orchestrators is read, so they are in a file."""

from __future__ import annotations

import collections.abc
import typing

File: typing.Any = None  # that of the library that is looked at, which observe puts here


class Custom:
    """A class that is no type of inputs and outputs."""


def generator(n: int) -> int:
    yield n


async def async_generator(n: int) -> int:
    yield n


def plain(x: int, y: int) -> int:
    return x + y


async def waits(x: int) -> int:
    return x


def custom_input(value: Custom) -> int:
    return 1


def custom_nested(value: list[Custom]) -> int:
    return 1


def custom_output(x: int) -> Custom:
    return x


def optional(x: int | None) -> int:
    return 1


def old_optional(x: typing.Optional[int]) -> int:  # noqa: UP045 # as users write it
    return 1


def no_result(x: int) -> None:
    return None


def several(x: int) -> tuple[int, str]:
    return x, "a"


def untyped(x):
    return x


def with_default(x: int = 3) -> int:
    return x


def same_file(file: File) -> File:
    return file


def read(file: File) -> bytes:
    with file.open_sync() as opened:
        return opened.read()


def downloaded(file: File) -> str:
    with open(file.download_sync()) as opened:
        return opened.read()


def starred(*args: int) -> int:
    return len(args)


def dict_by_number(x: dict[int, str]) -> int:
    return len(x)


def takes_callback(callback: collections.abc.Callable[[], None]) -> int:
    return 1
