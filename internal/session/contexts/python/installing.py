"""Lets pip install while code runs: for the user, where the environment is root's."""

import importlib
import os
import re
import subprocess
import sys
import sysconfig
from importlib.util import find_spec

MAGIC = re.compile(r"^%pip[ \t]+(.*)$", re.M)


def prepare():
    """Names a place for pip where the user may write, and where modules are found."""
    if os.access(sysconfig.get_path("purelib"), os.W_OK) or "PIP_PREFIX" in os.environ:
        return
    base = os.path.expanduser("~/.local")
    place = sysconfig.get_path("purelib", sysconfig.get_preferred_scheme("prefix"), {"base": base, "platbase": base})
    os.environ["PIP_PREFIX"] = base
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), place]))
    sys.path.append(place)


def replaced(text):
    """Returns code in which the magic of IPython is a call."""
    return MAGIC.sub(lambda found: "__import__('glovebox_context.installing').installing.pip(%r)" % found[1], text)


def pip(arguments):
    import shlex

    if find_spec("pip") is None:
        raise ModuleNotFoundError("the image has no pip: declare the packages of the session, or pip among them", name="pip")
    prepare()
    ended = subprocess.run([sys.executable, "-m", "pip", *shlex.split(arguments)])
    importlib.invalidate_caches()
    if ended.returncode:
        raise RuntimeError("pip ended with status %d, and said why" % ended.returncode)
