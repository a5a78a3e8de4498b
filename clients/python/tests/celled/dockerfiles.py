"""A function whose image is a Dockerfile beside it, which is not there when its cell imports this."""

from __future__ import annotations

from pathlib import Path

import glovebox

env = glovebox.TaskEnvironment(
    "dockerfiles", image=glovebox.Image.from_dockerfile(Path(__file__).parent / "greeting" / "Dockerfile")
)


@env.task
def greeting(who: str) -> str:
    return f"{Path('/srv/word').read_text().strip()} {who}"
