"""The pages about the Python client: their programs run and print what they say, and no public name is missing.

Each block of Python is a whole program. What stands behind a print is what it prints. With GLOVEBOX_TEST_REAL=1 they
run, in real cells, with an engine of their own and with a server; images are those of GLOVEBOX_TEST_HOME.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from io import StringIO
from pathlib import Path

import pytest

import engines
import glovebox
from glovebox import errors, io, sandbox, session

ROOT = Path(__file__).resolve().parents[3]
REFERENCE = ROOT / "docs" / "PYTHON.md"
DOCUMENTS = [*sorted(ROOT.glob("*.md")), ROOT / "examples" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [
    REFERENCE,
    ROOT / "README.md",
    ROOT / "clients" / "python" / "README.md",
    *(
        ROOT / "docs" / page
        for page in (
            "start/python.md",
            "guides/agents.md",
            "guides/apps.md",
            "guides/codegen.md",
            "guides/files.md",
            "guides/tools.md",
            "guides/warm-cells.md",
        )
    ),
]

_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs() -> Iterator[tuple[str, str]]:
    """Yields the place and the source of each program."""
    for page in PAGES:
        text = page.read_text()
        for block in _BLOCK.finditer(text):
            line = text.count("\n", 0, block.start()) + 2
            yield f"{page.relative_to(ROOT)}:{line}", block[1]


def expected(source: str) -> list[str]:
    """Returns what the prints say that they print, in the order of the lines."""
    prints = {
        node.end_lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    }
    return [
        token.string.removeprefix("#").strip()
        for token in tokenize.generate_tokens(StringIO(source).readline)
        if token.type == tokenize.COMMENT and token.start[0] in prints
    ]


_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
PROGRAMS = list(programs())


def test_every_page_has_programs_and_every_program_says_what_it_prints() -> None:
    assert {place.rpartition(":")[0] for place, _ in PROGRAMS} == {str(page.relative_to(ROOT)) for page in PAGES}
    for place, source in PROGRAMS:
        assert expected(source), f"{place} shows nothing"
        assert len(expected(source)) == source.count("print("), (
            f"{place} has a print of which nobody knows what it prints"
        )


@pytest.fixture(scope="module", params=["child", "tcp"])
def variables(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a program, with an engine of its own or with a server."""
    home = tmp_path_factory.mktemp("home")  # of its own: one server at a time works on a home
    if kept := os.environ.get("GLOVEBOX_TEST_HOME"):
        (home / "images").symlink_to(Path(kept, "images").resolve())
    others = {name: value for name, value in os.environ.items() if name not in ("GLOVEBOX_URL", "GLOVEBOX_TOKEN")}
    server: AbstractContextManager[dict[str, str]] = nullcontext({})
    if request.param == "tcp":
        server = engines.server("tcp", home)
    with server as address:
        yield others | {"GLOVEBOX_PROGRAM": str(engines.PROGRAM), "GLOVEBOX_HOME": str(home)} | address


@pytest.mark.cells
@pytest.mark.parametrize("source", [pytest.param(source, id=place) for place, source in PROGRAMS])
def test_program(source: str, variables: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "page.py").write_text(source)
    command = [sys.executable, "-W", "error", "page.py"]
    ended = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == expected(source)


def anchors(page: Path) -> set[str]:
    """Returns what links into a page may name: its headings, as GitHub spells them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", _CODE.sub("", page.read_text())):
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(file), f"{page.name}: {target}#{anchor}"


def words(page: Path) -> set[str]:
    return set(re.findall(r"\w+", page.read_text()))


@pytest.mark.parametrize(
    "names", [glovebox.__all__, glovebox.agents.__all__, sandbox.__all__, session.__all__, ["File", "Dir", "DataFrame"]]
)
def test_no_public_name_is_missing(names: list[str]) -> None:
    assert set(names) - words(REFERENCE) == set()


@pytest.mark.parametrize(
    "kind",
    [
        glovebox.Deployment, glovebox.FunctionTask, glovebox.Outputs, glovebox.Resources, glovebox.Run, glovebox.Secret,
        glovebox.Session, glovebox.Snapshot, glovebox.TaskEnvironment, io.DataFrame, io.Dir, io.File, sandbox.ImageConfig,
        sandbox.Sandbox, session.CommandResult, session.Context, session.Execution, session.FileInfo, session.Files,
        session.Output, session.Port, session.Process, session.Result, errors.GloveboxError,
    ],
)  # fmt: skip
def test_no_public_member_is_missing(kind: type) -> None:
    own = [base for base in kind.__mro__ if base.__module__.startswith("glovebox")]
    members = {name for base in own for name in vars(base) if not name.startswith("_")}
    assert members
    assert members - words(REFERENCE) == set()


def test_errors_are_called_as_the_page_says() -> None:
    text = (ROOT / "docs" / "reference" / "errors.md").read_text()
    for code, kind in errors.BY_CODE.items():
        row = re.search(rf"^\| `{code}` \|(?:[^|]*\|){{4}} `{kind.__name__}`(?:, an? `(\w+)`)? \|", text, re.MULTILINE)
        assert row, code
        if row[1]:
            base = getattr(__import__("builtins"), row[1], None) or getattr(errors, row[1])
            assert issubclass(kind, base), code


def test_no_variable_of_the_environment_is_missing() -> None:
    library = Path(glovebox.__file__).parent
    used = {
        name for file in library.rglob("*.py") for name in re.findall(r"\bGLOVEBOX_[A-Z_]*[A-Z]\b", file.read_text())
    }
    assert "GLOVEBOX_URL" in used
    assert used - words(REFERENCE) == set()
