"""Functions in cells that hand files on."""

from __future__ import annotations

import pathlib
import tempfile
from typing import Optional

import glovebox
from glovebox.io import Dir, File

cells = glovebox.TaskEnvironment(name="names", resources=glovebox.Resources(memory="256Mi"))


def make(name: str, text: str = "x") -> File:
    path = pathlib.Path(tempfile.mkdtemp()) / name
    path.write_text(text)
    return File.from_local_sync(path)


@cells.task
def one() -> File:
    return make("report.csv")


@cells.task
def same(f: File) -> File:
    return f


@cells.task(cache="auto")
def kept(f: File) -> File:
    return f


@cells.task
def maybe(f: Optional[File] = None) -> Optional[File]:
    return f


@cells.task
def many(fs: list[File]) -> list[File]:
    return [*fs, make("a.txt", "1"), make("a.txt", "2")]


@cells.task
def keyed(fs: dict[str, File]) -> dict[str, File]:
    return fs


@cells.task
def tree(d: Dir) -> Dir:
    return d


@cells.task
def seen(f: File, fs: list[File], d: Dir) -> list[str]:
    return [f.name, *(inner.name for inner in fs), d.name]


@cells.sandbox.orchestrator
def chain() -> File:
    return same(one())
