"""Does once what a run does, so that the first run finds everything in memory."""

from os import environb

import describe
import errors
import files
import times
import verbatim
from leave import has_finalizers, kinds_of_modules, only_usual
from host import plain
from run import Source, compile_source, understand
from values import decode, encode

JOB = b'{"env":["A=b"],"inputs":[{"name":"x","type":"int","value":21}],"outputs":[{"name":"y","type":"list[Any]"}]}'


def rehearse(parse, set_environment):
    job = parse(JOB)
    set_environment([list(v) for v in environb.items()])
    understand(job)
    source = Source("rehearsal.py", "/rehearsal.py", b"y = [x * 2, 1.5, 'a']\n")
    namespace = {p["name"]: decode(p["type"], p["value"]) for p in job["inputs"]}
    exec(compile_source(source), namespace)
    out = []
    encode(out, job["outputs"][0]["type"], namespace["y"])
    plain({"outputs": "".join(out)})
    has_finalizers(namespace)
    kinds_of_modules("/nowhere/")
    only_usual()
