"""Loads the driver, which comes as the first line of standard input, so that
nothing of it has to be a file of the cell. The host passes this with -c."""

import os
import sys


class Parts:
    """Finds and loads the parts of the driver as modules of one package."""

    package = "glovebox_context"

    def __init__(self, texts):
        self.texts = texts

    def find_spec(self, name, path=None, target=None):
        package, _, part = name.partition(".")
        if package != self.package or part and part not in self.texts:
            return None
        return type(sys.__spec__)(name, self, is_package=not part)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        part = module.__name__.partition(".")[2]
        if part:
            exec(compile(self.texts[part], self.package + "/" + part + ".py", "exec", 0, True), module.__dict__)


def first_line():
    chunks = [os.read(0, 1 << 16)]
    while not chunks[-1].endswith(b"\n"):
        chunks.append(os.read(0, 1 << 16))
        if not chunks[-1]:
            os._exit(1)
    return b"".join(chunks)


sys.path.remove("")  # a file of the user must not be taken for one of the library; the loop puts it back
import json

opening = json.loads(first_line())
sys.meta_path.append(Parts(opening.pop("parts")))

from glovebox_context.loop import serve

serve(opening)
