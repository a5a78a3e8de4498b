"""Writes the parts of the runner, as this Python compiles them, to its output:
what sys.version says, and the code of each part by its name."""

import marshal
import sys

HERE = ""
TEXTS = {}

codes = {name: marshal.dumps(compile(text, HERE + name + ".py", "exec", 0, True)) for name, text in TEXTS.items()}
sys.stdout.buffer.write(marshal.dumps((sys.version, codes)))
