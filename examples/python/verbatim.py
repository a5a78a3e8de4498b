"""Verbatim mode: a whole script, which reads /var/inputs and writes /var/outputs."""

import asyncio
import tempfile
from pathlib import Path

import glovebox
import glovebox.sandbox


async def main(payload_file: Path) -> None:
    from glovebox.io import File

    _etl_script = """\
import json, pathlib

payload = json.loads(pathlib.Path("/var/inputs/payload").read_text())
total = sum(payload["values"])

pathlib.Path("/var/outputs/total").write_text(str(total))
"""

    etl_sandbox = glovebox.sandbox.create(
        name="etl-script",
        code=_etl_script,
        inputs={"payload": File},
        outputs={"total": int},
        auto_io=False,
    )

    total = await etl_sandbox.run.aio(payload=payload_file)

    print("total:", total)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        payload = Path(directory) / "payload.json"
        payload.write_text('{"values": [1, 2, 3, 4, 5]}')
        asyncio.run(main(payload))
