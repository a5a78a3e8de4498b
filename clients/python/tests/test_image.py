"""Images: what the engine is told, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from glovebox import Image, Secret, sandbox
from glovebox._tasks.image import image_spec, image_variables


def test_the_default_is_the_engines() -> None:
    assert image_spec(None) == image_spec("auto") == image_spec(Image.from_debian_base()) == {}


def test_layers() -> None:
    image = (
        Image.from_debian_base(python_version=(3, 12), name="etl", registry="ghcr.io/my-org", registry_secret="ghcr")
        .with_pip_packages("numpy", "pandas>=2.0")
        .with_apt_packages("libpq-dev")
        .with_commands(["echo a", "echo b"])
        .with_pip_packages("polars")
    )
    assert image_spec(image) == {
        "name": "etl", "python": "3.12", "registry": "ghcr.io/my-org", "registry_secret": "ghcr",
        "packages": ["numpy", "pandas>=2.0", "polars"], "system_packages": ["libpq-dev"],
        "commands": ["echo a", "echo b"],
    }  # fmt: skip


def test_an_image_never_changes() -> None:
    base = Image.from_debian_base(name="base")
    base.with_pip_packages("numpy").with_apt_packages("jq").with_commands(["true"]).with_env_vars({"A": "1"})
    assert image_spec(base) == {"name": "base"}
    assert image_variables(base) == {}


def test_a_prebuilt_image_and_one_on_top_of_it() -> None:
    prebuilt = Image.from_base("ghcr.io/my-org/tools:1")
    assert image_spec(prebuilt) == image_spec("ghcr.io/my-org/tools:1") == {"ref": "ghcr.io/my-org/tools:1"}
    assert image_spec(prebuilt.with_pip_packages("numpy")) == {"base": "ghcr.io/my-org/tools:1", "packages": ["numpy"]}


def test_variables_are_added_and_replaced() -> None:
    image = Image.from_debian_base().with_env_vars({"A": "1", "B": "2"}).with_env_vars({"B": "3"})
    assert image_variables(image) == {"A": "1", "B": "3"}


@pytest.mark.parametrize(
    ("ref", "told"),
    [
        ("./x.tar", "{here}/x.tar"), ("../x.tar", "{above}/x.tar"), ("oci:layout", "oci:{here}/layout"),
        ("archive:x.tar", "archive:{here}/x.tar"), ("/x.tar", "/x.tar"), ("python:3.12-slim", "python:3.12-slim"),
    ],
)  # fmt: skip
def test_paths_of_images_become_absolute(ref: str, told: str) -> None:
    here = os.getcwd()
    assert image_spec(ref) == {"ref": told.format(here=here, above=os.path.dirname(here))}


def test_a_secret_may_name_the_credentials() -> None:
    image = Image.from_debian_base(registry_secret=Secret("ghcr"))
    assert image_spec(image) == {"registry_secret": "ghcr"}


def test_direct_references_are_asked_for() -> None:
    image = Image().with_pip_packages("x @ https://example.com/x.whl", allow_urls=True)
    assert image_spec(image) == {"packages": ["x @ https://example.com/x.whl"], "allow_urls": True}


def test_indexes(tmp_path: Path) -> None:
    one, two = "https://one.example/simple", "https://two.example/simple"
    image = Image().with_pip_packages("a", index_url=one, extra_index_urls=two).with_pip_packages("b", index_url=one)
    image = image.with_pip_packages("c", extra_index_urls=[two, one])
    assert image_spec(image) == {"packages": ["a", "b", "c"], "index_url": one, "extra_index_urls": [two, one]}
    with pytest.raises(ValueError, match="index_url is 'https://two.example/simple', but the image already has"):
        image.with_pip_packages("d", index_url=two)
    (tmp_path / "a.txt").write_text("a @ https://a.example/a.whl")
    listed = Image().with_requirements(tmp_path / "a.txt", one, two, allow_urls=True)
    assert listed == Image().with_pip_packages(
        "a @ https://a.example/a.whl", index_url=one, extra_index_urls=two, allow_urls=True
    )
    with pytest.raises(TypeError, match=r"extra_index_urls\[0\] is 5"):
        image.with_pip_packages("d", extra_index_urls=[5])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("networks", "told"),
    [
        ([None], None), (["none"], {}), (["public"], {"public": True}), (["a.example"], {"allow": ["a.example"]}),
        ([["a.example", "b.example"], None, ["b.example", "c.example"]], {"allow": ["a.example", "b.example", "c.example"]}),
    ],
)  # fmt: skip
def test_networks_of_builds(networks: list[Any], told: Any) -> None:
    image = Image()
    for network in networks:
        image = image.with_commands(["true"], network=network)
    assert image_spec(image).get("network") == told


def test_a_build_has_one_network() -> None:
    with pytest.raises(ValueError, match="network is 'public', but the image already has"):
        Image().with_commands(["a"], network=["a.example"]).with_commands(["b"], network="public")
    with pytest.raises(TypeError, match="network"):
        Image().with_commands(["a"], network=[5])  # type: ignore[list-item]


def test_sources_of_a_sandbox() -> None:
    config = sandbox.ImageConfig(
        index_url="https://one.example",
        extra_index_urls=["https://two.example"],
        allow_urls=True,
        network=["a.example"],
    )
    made = sandbox.create(code="y = 1", packages=["a @ git+https://a.example/a"], image_config=config)
    told = image_spec(made._image())
    del told["name"]
    assert told == {
        "packages": ["a @ git+https://a.example/a"], "allow_urls": True, "index_url": "https://one.example",
        "extra_index_urls": ["https://two.example"], "network": {"allow": ["a.example"]},
    }  # fmt: skip
    assert made._default_image_name() != sandbox.create(code="y = 1", packages=made.packages)._default_image_name()


@pytest.mark.parametrize("version", ["3.12", (3,), (2, 7), (3, 12, 1, 0), (3, "12"), (3, -1), (3, True), 3.12])
def test_bad_versions(version: Any) -> None:
    with pytest.raises(ValueError, match="python_version is"):
        Image.from_debian_base(python_version=version)


@pytest.mark.parametrize("name", ["", "Upper", "a b", "-a", "a--b", "a\n", "x" * 129, 5])
def test_bad_names(name: Any) -> None:
    with pytest.raises(ValueError, match="name of the image is"):
        Image.from_debian_base(name=name)


def test_other_bad_fields() -> None:
    with pytest.raises(ValueError, match="registry of the image is ''"):
        Image.from_debian_base(registry="")
    with pytest.raises(ValueError, match="image_uri is ''"):
        Image.from_base("")
    with pytest.raises(TypeError, match=r"image is 5 \(int\)"):
        image_spec(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"packages\[1\] is 5"):
        Image().with_pip_packages("numpy", 5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"packages\[0\] is empty"):
        Image().with_pip_packages(" ")
    with pytest.raises(TypeError, match="commands is one string"):
        Image().with_commands("echo a")
    with pytest.raises(TypeError, match="env_vars"):
        Image().with_env_vars({"A": 1})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="env_vars: 'A B'"):
        Image().with_env_vars({"A B": "1"})


def test_requirements(tmp_path: Path) -> None:
    file = tmp_path / "requirements.txt"
    file.write_text("# tools\nnumpy>=2  # fast\n\npandas[excel] \\\n  ==2.2\nx @ https://example.com/x#egg\r\n")
    image = Image().with_requirements(file)
    assert image.packages == ("numpy>=2", "pandas[excel] ==2.2", "x @ https://example.com/x#egg")


@pytest.mark.parametrize("line", ["-r other.txt", "--index-url https://example.com", "numpy --hash=sha256:00", "-e ."])
def test_requirements_with_options(tmp_path: Path, line: str) -> None:
    file = tmp_path / "requirements.txt"
    file.write_text(f"numpy\\\n>=2\n{line}\n")
    with pytest.raises(ValueError, match=r"requirements.txt, line 3: .* is an option of pip"):
        Image().with_requirements(str(file))


def test_requirements_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="must have a .txt extension"):
        Image().with_requirements(tmp_path / "pyproject.toml")
    with pytest.raises(FileNotFoundError):
        Image().with_requirements(tmp_path / "absent.txt")
    large = tmp_path / "large.txt"
    large.write_bytes(b"#" * (1 << 20) + b"\n")
    with pytest.raises(ValueError, match="larger than 1 MiB"):
        Image().with_requirements(large)
