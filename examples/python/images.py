"""What a sandbox runs in: packages, commands, prebuilt images, a registry and a version of Python.

    python images.py                               # builds images
    python images.py --registry HOST:PORT/FOLDER   # and one that it pushes there; --python 3.11 where 3.12 is not
    python images.py --prebuilt HOST:PORT/IMAGE    # and runs one that is there

The code of each is ``...`` in the documents. ``with_code`` puts some into its place.
The registry wants a secret: ``glovebox secret set ghcr-credentials``, with user:password.
"""

import argparse
import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import glovebox
import glovebox.sandbox
from glovebox.io import File


def with_code(sandbox: Any, code: str, **changes: Any) -> Any:
    """Returns the same sandbox with other code."""
    return dataclasses.replace(sandbox, code=code, **changes)


def python_packages() -> None:
    sandbox = glovebox.sandbox.create(
        name="data-analysis",
        code="...",
        inputs={"data": str},
        outputs={"result": str},
        packages=["numpy", "pandas>=2.0", "scikit-learn"],
    )

    code = """
import io
import numpy, pandas, sklearn.linear_model
table = pandas.read_csv(io.StringIO(data))
line = sklearn.linear_model.LinearRegression().fit(table[["x"]], table["y"])
result = f"y = {numpy.round(line.coef_[0], 3)} x + {numpy.round(line.intercept_, 3)}"
"""
    print("packages:", with_code(sandbox, code).run(data="x,y\n0,1\n1,3\n2,5\n"))


def system_packages(path: Path) -> None:
    sandbox = glovebox.sandbox.create(
        name="image-processor",
        code="...",
        inputs={"image": File},
        outputs={"result": File},
        packages=["Pillow"],
        system_packages=["libgl1-mesa-glx", "libglib2.0-0"],
    )

    code = """
import PIL.Image
PIL.Image.open(image).resize((4, 3)).save("/var/outputs/result", format="ppm")
"""
    path.write_bytes(b"P6 2 2 255 " + bytes(12))  # a picture, 2 by 2 pixels
    print("system packages:", with_code(sandbox, code).run(image=path).read()[:6])


def commands() -> None:
    sandbox = glovebox.sandbox.create(
        name="custom-env",
        code="...",
        inputs={"x": int},
        outputs={"y": int},
        additional_commands=["curl -sSL https://example.com/setup.sh | bash"],
    )

    # There is no such script. This makes one of a page that everybody has.
    page = "https://pypi.org/simple/six/"
    setup = [f"curl -sSL {page} | sed -n 's|.*Links for six</h1>.*|echo 41 > /etc/increment|p' | bash"]
    code = "y = x + int(open('/etc/increment').read())"
    print("commands:", with_code(sandbox, code, additional_commands=setup).run(x=1))


def registry(name: str, version: str) -> None:
    from glovebox.sandbox import ImageConfig

    sandbox = glovebox.sandbox.create(
        name="custom-registry",
        code="...",
        inputs={"x": int},
        outputs={"y": int},
        image_config=ImageConfig(
            registry="ghcr.io/my-org",
            registry_secret="ghcr-credentials",
            python_version=(3, 12),
        ),
    )

    major, minor = version.split(".")
    config = ImageConfig(registry=name, registry_secret="ghcr-credentials", python_version=(int(major), int(minor)))
    code = "import sys\ny = x + sys.version_info.minor"
    print("registry:", with_code(sandbox, code, image_config=config).run(x=1))


def prebuilt(reference: str) -> None:
    sandbox = glovebox.sandbox.create(
        name="prebuilt",
        code="result = x + 1",
        inputs={"x": int},
        outputs={"result": int},
        image="ghcr.io/my-org/my-sandbox-image:latest",
    )

    print("prebuilt:", sandbox.run(image=reference, x=1))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--registry", help="build an image and push it to this folder of a registry")
    parser.add_argument("--python", default="3.12", help="the version of Python in it")
    parser.add_argument("--prebuilt", help="run the image of this reference")
    arguments = parser.parse_args()

    python_packages()
    with tempfile.TemporaryDirectory() as directory:
        system_packages(Path(directory) / "picture")
    commands()
    if arguments.registry:
        registry(arguments.registry, arguments.python)
    if arguments.prebuilt:
        prebuilt(arguments.prebuilt)


if __name__ == "__main__":
    main()
