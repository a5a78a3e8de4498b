"""Has a coding agent work on files, in a cell. It gets `request`, JSON, and Files, and gives `work`, JSON.

A request has dir, texts (by path), files (names of inputs by path), home_dir, home (texts by path), script, argv, want
(paths) and most (bytes of one). The agent may do anything here: what it leaves is read as files and nothing else.
"""

import json
import os
import pathlib
import shutil
import stat
import subprocess

MOST_LINE = 1 << 20
MOST_SAID = 8 << 10
MOST_COST = 1 << 30


def write(root, texts):
    for name, text in texts.items():
        path = pathlib.Path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def read(path, most):
    """Returns the text of a file, or None and why there is none."""
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return None, error.strerror
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        return None, "it is no file"
    with open(opened, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        return None, f"it has more than {most} bytes"
    return content.decode(errors="replace"), None


def closing(line):
    """Returns what the agent says at its end, if a line is that."""
    try:
        said = json.loads(line)
    except ValueError:
        return None
    return said if isinstance(said, dict) and said.get("type") == "result" else None


def follow(process):
    """Passes on what the agent says, and returns the last of it."""
    last, end = "", {}
    while line := process.stdout.readline(MOST_LINE):
        print(line, end="", flush=True)
        last = (last + line)[-MOST_SAID:]
        end = closing(line) or end
    return last, end


def cost(end):
    """Returns the US dollars that the agent says it took, 0 if that is no number which can be."""
    said = end.get("total_cost_usd")
    return said if isinstance(said, int | float) and 0 <= said <= MOST_COST else 0.0


def run(asked):
    work = pathlib.Path(asked["dir"])
    write(work, asked["texts"])
    write(asked["home_dir"], asked["home"])
    for name, given in asked["files"].items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(globals()[given], work / name)
    environment = {**os.environ, "HOME": asked["home_dir"]}
    if asked["script"]:
        subprocess.run(["sh", "-c", asked["script"], "sh", json.dumps(asked["dir"])], env=environment, check=True)
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(asked["argv"], cwd=work, env=environment, text=True, errors="replace", **streams)
    last, end = follow(process)
    texts, problems = {}, {}
    for name in asked["want"]:
        text, problem = read(work / name, asked["most"])
        if problem is None:
            texts[name] = text
        else:
            problems[name] = problem
    said = end.get("result")
    said = said[-MOST_SAID:] if isinstance(said, str) else last
    return {"status": process.wait(), "said": said, "cost_usd": cost(end), "texts": texts, "problems": problems}


work = json.dumps(run(json.loads(request)))  # noqa: F821
