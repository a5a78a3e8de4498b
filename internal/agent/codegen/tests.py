"""Runs tests of a script, in a cell. It gets `solution`, `tests` and `seconds`, and gives `outcome`, JSON.

Both may do anything here. Each test is a name and how it ended; a test that is not named did not run.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

MOST_OUTPUT = 32 << 10
MOST_TESTS = 1000
REPORTER = '''
import json, os, pathlib, shutil

ended = {}
outcome = os.environ.pop("GLOVEBOX_OUTCOME")


def keep():
    with open(outcome, "w") as file:
        json.dump(ended, file)


def name_of(item):
    return item.nodeid.split("::", 1)[-1]


def pytest_collection_finish(session):
    ended.update({name_of(item): "not run" for item in session.items})
    keep()


def pytest_runtest_setup(item):
    for left in pathlib.Path("/var/outputs").iterdir():  # each test sees what its own runs wrote
        shutil.rmtree(left, ignore_errors=True) if left.is_dir() and not left.is_symlink() else left.unlink()


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        if ended.get(name_of(report)) in ("not run", "passed"):
            ended[name_of(report)] = report.outcome
    keep()


def pytest_collectreport(report):
    if report.failed:
        ended["(collection)"] = "error"
        keep()
'''


def last(text):
    return text if len(text) <= MOST_OUTPUT else "[the beginning is left out]\n" + text[-MOST_OUTPUT:]


def run():
    work = pathlib.Path(tempfile.mkdtemp())
    plugins = pathlib.Path(tempfile.mkdtemp())
    (work / "solution.py").write_text(solution)  # noqa: F821
    (work / "test_solution.py").write_text(tests)  # noqa: F821
    (plugins / "glovebox_reporter.py").write_text(REPORTER)
    reported = plugins / "outcome.json"
    printed = plugins / "printed"
    environment = {**os.environ, "GLOVEBOX_OUTCOME": str(reported), "PYTHONPATH": f"{work}:{plugins}"}
    options = ["-p", "glovebox_reporter", "-p", "no:cacheprovider", "--tb=short", "-q", "-rN"]
    argv = [sys.executable, "-B", "-m", "pytest", *options, "test_solution.py"]
    over = False
    with printed.open("wb") as output:
        streams = {"stdout": output, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(argv, cwd=work, env=environment, start_new_session=True, **streams)
        try:
            status = process.wait(timeout=seconds)  # noqa: F821
        except subprocess.TimeoutExpired:
            over, status = True, -1
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    with printed.open("rb") as output:
        output.seek(max(0, printed.stat().st_size - 4 * MOST_OUTPUT))
        text = last(output.read().decode(errors="replace"))
    try:
        ended = json.loads(reported.read_text())
    except (OSError, ValueError):
        ended = {}
    ended = {str(name)[:300]: str(ended[name])[:20] for name in list(ended)[:MOST_TESTS]}
    return {"exit": status, "over": over, "ended": ended, "output": text}


outcome = json.dumps(run())
