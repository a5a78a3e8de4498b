"""Command mode: any program, whose inputs and outputs are files."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import glovebox
import glovebox.sandbox

# The first of the arguments is $0 to bash, the second $1.
pytest_cmd = 'cd "$(dirname "$1")" && python3 -B -m unittest "$(basename "$1")"; echo $? > /var/outputs/exit_code'

SOLUTION = "def double(x): return x * 2\n"
TESTS = """\
import unittest
from solution import double

class Doubles(unittest.TestCase):
    def test_it(self):
        self.assertEqual(double(21), 42)
"""


async def count(data_file: Path) -> None:
    from glovebox.io import File

    linecount_sandbox = glovebox.sandbox.create(
        name="line-counter",
        command=[
            "/bin/bash",
            "-c",
            "grep -c . /var/inputs/data_file > /var/outputs/line_count || echo 0 > /var/outputs/line_count",
        ],
        inputs={"data_file": File},
        outputs={"line_count": str},
    )

    count = await linecount_sandbox.run.aio(data_file=data_file)

    print("lines:", count)


def run_tests(solution: Path, tests: Path) -> None:
    from glovebox.io import File

    sandbox = glovebox.sandbox.create(
        name="test-runner",
        command=["/bin/bash", "-c", pytest_cmd],
        arguments=["/var/inputs/solution.py", "/var/inputs/tests.py"],
        inputs={"solution.py": File, "tests.py": File},
        outputs={"exit_code": str},
    )

    inputs: dict[str, Any] = {"solution.py": solution, "tests.py": tests}  # no names of Python's
    print("exit code:", sandbox.run(**inputs))


def main(directory: Path) -> None:
    (directory / "data.txt").write_text("line 1\n\nline 2\n")
    asyncio.run(count(directory / "data.txt"))

    (directory / "right.py").write_text(SOLUTION)
    (directory / "wrong.py").write_text(SOLUTION.replace("2", "3"))
    (directory / "tests.py").write_text(TESTS)
    run_tests(directory / "right.py", directory / "tests.py")
    run_tests(directory / "wrong.py", directory / "tests.py")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        main(Path(directory))
