import glovebox
import glovebox.sandbox
from glovebox.io import File
from glovebox.sandbox import sandbox_environment

# sandbox_environment provides the base runtime image for code sandboxes.
# Include it in depends_on so Glovebox builds the sandbox runtime before your task runs.
env = glovebox.TaskEnvironment(
    name="sandbox-demo",
    image=glovebox.Image.from_debian_base(name="sandbox-demo"),
    depends_on=[sandbox_environment],
)


@env.task
async def deploy_sandbox_task() -> str:
    # Initialize the Glovebox client for in-cluster operations (image building, deployment)
    glovebox.init_in_cluster()

    sandbox = glovebox.sandbox.create(
        name="deployable-sandbox",
        # In auto-IO mode, File inputs become path strings — read with pathlib
        code="""\
import json, pathlib
data = json.loads(pathlib.Path(payload).read_text())
total = sum(data["values"])
""",
        inputs={"payload": File},
        outputs={"total": int},
        resources=glovebox.Resources(cpu=1, memory="512Mi"),
    )

    # Build the image and get a ContainerTask with the script pre-filled
    task = await sandbox.as_task.aio()

    # Create a TaskEnvironment from the task and deploy it
    deploy_env = glovebox.TaskEnvironment.from_task("deployable-sandbox", task)
    versions = glovebox.deploy(deploy_env)

    return versions[0].summary_repr()


if __name__ == "__main__":
    r = glovebox.run(deploy_sandbox_task)
    print(r.outputs()[0])
