"""Runs a sandbox once for each image that it reads, and prints how long it took."""

import sys
import time

import glovebox

sandboxes = {}


def sandbox(image):
    if image not in sandboxes:
        sandboxes[image] = glovebox.sandbox.create(
            name="double",
            code="result = x * 2",
            inputs={"x": int},
            outputs={"result": int},
            image=image,
            cache="disable",
        )
    return sandboxes[image]


def main():
    for line in sys.stdin:
        task = sandbox(line.strip())
        began = time.perf_counter()
        try:
            value = task.run(x=21)
        except Exception as err:
            value = f"{type(err).__name__}: {err}".replace("\n", " ")
        print(time.perf_counter() - began, value, flush=True)


main()
