"""The environment of sandboxes, for depends_on of environments whose tasks use them."""

from __future__ import annotations

from .._tasks.environment import TaskEnvironment
from .._tasks.image import Image

sandbox_environment = TaskEnvironment(name="sandbox-runtime", image=Image.from_debian_base(install_glovebox=False))
