"""Apps: servers of yours that this process runs, and deploys along with the tasks that they start.

    >>> app = glovebox.app.AppEnvironment("hooks", depends_on=[env])
    >>> @app.server
    ... async def serve() -> None:
    ...     await uvicorn.Server(uvicorn.Config(api, port=app.get_port().port)).serve()
    >>> glovebox.serve(app).url
"""  # fmt: skip

from ._environment import AppEnvironment, Port
from ._handle import DeployedAppEnvironment

__all__ = ["AppEnvironment", "DeployedAppEnvironment", "Port"]
