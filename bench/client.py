"""Runs a sandbox once for each line, of an image and whether the run is kept, and prints how long it took."""

import sys
import time

import glovebox

sandboxes = {}


def sandbox(image, durable):
    if (image, durable) not in sandboxes:
        sandboxes[image, durable] = glovebox.sandbox.create(
            name="double",
            code="result = x * 2",
            inputs={"x": int},
            outputs={"result": int},
            image=image,
            cache="disable",
            durable=durable,
        )
    return sandboxes[image, durable]


def main():
    for line in sys.stdin:
        image, durable = line.split()
        task = sandbox(image, durable == "true")
        began = time.perf_counter()
        try:
            value = task.run(x=21)
        except Exception as err:
            value = f"{type(err).__name__}: {err}".replace("\n", " ")
        print(time.perf_counter() - began, value, flush=True)


main()
