"""What the build of the wheel adds to the modules: the version, the program glovebox, and the platform it is for.

``make wheel`` calls it, with the program in GLOVEBOX_WHEEL_PROGRAM, the
platform, as Go names it, in GLOVEBOX_WHEEL_ARCH, and the version, as git
describes it, in GLOVEBOX_WHEEL_VERSION. The platform "any" is a wheel without
the program, for systems that are clients of a server.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

# The program is static, so it runs with any C library.
PLATFORMS = {
    "amd64": "manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "arm64": "manylinux_2_17_aarch64.musllinux_1_1_aarch64",
}

ANY = "any"  # a wheel of Python alone

UNKNOWN = "0.0.0.dev0"


def python_version(described: str) -> str:
    """Returns the version that git describes in the form of PEP 440.

    >>> python_version("v1.2.3")
    '1.2.3'
    >>> python_version("v1.2.3-4-g0123abc-dirty")
    '1.2.4.dev4+g0123abc.dirty'
    >>> python_version("0123abc")
    '0.0.0.dev0+g0123abc'
    """
    rest = described.removesuffix("-dirty")
    local = ["dirty"] if described.endswith("-dirty") else []
    if re.fullmatch(r"[0-9a-f]{7,40}", rest):
        return f"{UNKNOWN}+{'.'.join(['g' + rest, *local])}"
    match = re.fullmatch(r"v?(\d+)\.(\d+)\.(\d+)((?:a|b|rc)\d+)?(?:-(\d+)-(g[0-9a-f]+))?", rest)
    if match is None:
        return UNKNOWN
    major, minor, patch, pre, count, commit = match.groups()
    if count is not None:
        number = f"{major}.{minor}.{patch}{pre}.dev{count}" if pre else f"{major}.{minor}.{int(patch) + 1}.dev{count}"
        return f"{number}+{'.'.join([commit, *local])}"
    return f"{major}.{minor}.{patch}{pre or ''}" + (f"+{local[0]}" if local else "")


class CustomMetadataHook(MetadataHookInterface):
    """Sets the version."""

    def update(self, metadata: dict[str, Any]) -> None:
        described = os.environ.get("GLOVEBOX_WHEEL_VERSION", "")
        metadata["version"] = python_version(described) if described else UNKNOWN


class CustomBuildHook(BuildHookInterface[Any]):
    """Puts the program among the scripts of the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        program = os.environ.get("GLOVEBOX_WHEEL_PROGRAM")
        if version == "editable" and program is None:
            return  # it is found by GLOVEBOX_PROGRAM or PATH
        arch = os.environ.get("GLOVEBOX_WHEEL_ARCH", "")
        if arch == ANY and program is None:
            return
        if program is None or arch not in PLATFORMS or not os.access(program, os.X_OK):
            raise RuntimeError(
                f"the wheel holds the program: GLOVEBOX_WHEEL_PROGRAM is {program!r} and GLOVEBOX_WHEEL_ARCH is "
                f"{arch!r}, expected a program and one of {', '.join(PLATFORMS)}, or no program and {ANY}; "
                "build it with: make wheel"
            )
        build_data["shared_scripts"] = {str(Path(program).resolve()): "glovebox"}
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{PLATFORMS[arch]}"
