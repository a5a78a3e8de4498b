"""The loop of a coding agent: a model asks for commands, sees what they print, and continues until the tests pass.

The model is a script here. Yours answers the same messages.
"""

import json
from collections.abc import Iterator

import glovebox

TESTS = """\
import unittest
from words import longest

class Longest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(longest("a bread of tea"), "bread")

    def test_nothing(self):
        self.assertEqual(longest(""), "")
"""

FIRST = "def longest(text):\n    return max(text.split(), key=len)\n"
MENDED = "def longest(text):\n    return max(text.split(), key=len, default='')\n"


def model() -> Iterator[str]:
    """A scripted model, which is sent what its last call gave, and answers with the next call, in JSON."""
    yield json.dumps({"tool": "shell", "command": "cat test_words.py"})
    yield json.dumps({"tool": "write", "path": "words.py", "content": FIRST})
    yield json.dumps({"tool": "shell", "command": "python3 -m unittest 2>&1"})
    yield json.dumps({"tool": "write", "path": "words.py", "content": MENDED})
    yield json.dumps({"tool": "shell", "command": "python3 -m unittest 2>&1"})
    yield json.dumps({"tool": "done", "answer": "longest() takes an empty text, too"})


def call(s: glovebox.Session, asked: dict[str, str]) -> str:
    """Does what the model asks for, and returns what came of it. The model decides nothing outside of its cell."""
    if asked["tool"] == "write":
        return f"{s.files.write(asked['path'], asked['content']).size} bytes written"
    result = s.exec(asked["command"], timeout=60)
    return f"status {result.exit_code}\n{result.stdout[-4000:]}{result.stderr[-4000:]}"


def main() -> None:
    with glovebox.Session(timeout=600, at_end="kill") as s:
        s.files.write("test_words.py", TESTS)
        for step, message in enumerate(model(), 1):
            asked = json.loads(message)
            if asked["tool"] == "done":
                print("done:", asked["answer"])
                break
            told = call(s, asked)
            print(f"step {step}: {asked['tool']}: {told.splitlines()[0]}")
        print("tests pass:", s.exec("python3 -m unittest").exit_code == 0)
        print("code:", s.files.read_text("words.py") == MENDED)


if __name__ == "__main__":
    main()
