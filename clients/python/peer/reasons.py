"""Why this library differs where it does. A difference without a reason here is a defect."""

from __future__ import annotations

from difference import Reason

_EVERYWHERE = ("*",)
_TASKS = (
    "add",
    "sandbox.create(code='y = 1').as_task(image='i')",
    "env.sandbox.orchestrator(definitions.plain)",
    "sandbox.orchestrator_from_str('1', inputs={})",
)

CLUSTER = (
    Reason(
        "name parameter",
        _EVERYWHERE,
        "PodTemplate pod_template interruptible queue service_account reusable ReusePolicy plugin_config platform"
        " container_args custom_config data_loading_config",
        "left out",
        "It speaks to Kubernetes. Here a cell is made by the engine on its own machine.",
    ),
    Reason(
        "name parameter",
        _EVERYWHERE,
        "Device DeviceClass GPU TPU HABANA_GAUDI Neuron AMD_GPU APPLE_SILICON get_device AppleSilicon* GPUFault*",
        "left out",
        "The engine has no accelerators, and `Resources(gpu=...)` says so.",
    ),
    Reason(
        "name",
        ("Resources",),
        "get_shared_memory",
        "left out",
        "Shared memory has no limit of its own: it counts as memory.",
    ),
    Reason(
        "name parameter",
        _EVERYWHERE,
        "Trigger Triggered* OnArtifact produces_artifacts with_servecontext Condition* new_condition Link links"
        " PartitionSchema",
        "left out",
        "Artifacts, conditions and links are services of a platform, and no part of the documents about sandboxes."
        " Triggers are schedules of the engine, of functions and agents: `glovebox schedules`.",
    ),
    Reason(
        "name parameter",
        _EVERYWHERE,
        "custom_context get_custom_context current_domain current_project is_control_plane_available init_passthrough"
        " init_from_api_key load_plugin_config load_interactive_ctx ctx project domain auto_version",
        "left out",
        "An engine has no organisations, projects and domains. `init(url=, token=)` names it; a task asks for nothing"
        " about itself, because its inputs are all that it may depend on.",
    ),
)

_PLATFORM = "A service of their platform, and no part of the documents about sandboxes."

MODULES = (
    Reason("name", ("modules",), "artifacts clustered connectors git notify prefetch", "left out", _PLATFORM),
    Reason("name", ("modules",), "cli", "other", "The command line is the program `glovebox`."),
    Reason("name", ("modules",), "config", "other", "`init`, `init_from_config` and the variables GLOVEBOX_*."),
    Reason(
        "name",
        ("modules",),
        "durable",
        "other",
        "In an orchestrator `asyncio.sleep`, `time` and `random` are durable as they are.",
    ),
    Reason(
        "name",
        ("modules",),
        "extend models storage syncify types",
        "left out",
        "What plugins of theirs are made of: there are none here. Each blocking method has `.aio` beside it.",
    ),
    Reason(
        "name",
        ("extras",),
        "*",
        "left out",
        "Helpers for services of theirs, batches for models and shells. A command is `ContainerTask` or"
        " `sandbox.create(command=...)`.",
    ),
    Reason("name", ("remote",), "Secret SecretTypes", "other", "`glovebox.secrets` sets, lists and deletes them."),
    Reason(
        "name",
        ("remote",),
        "Action* Run* TaskDetails TimeFilter",
        "other",
        "`glovebox.Run`, `glovebox.runs()` and `run.calls()`: a call is a run.",
    ),
    Reason("name", ("remote",), "upload_*", "other", "`io.File.from_local` and `io.Dir.from_local`."),
    Reason("name", ("remote",), "*", "left out", _PLATFORM),
    Reason(
        "parameter",
        ("extras.ContainerTask",),
        "metadata_format local_logs file_input_layout **",
        "left out",
        "Inputs and outputs are the files of a sandbox in command mode, and the policies of a task have names.",
    ),
    Reason(
        "value",
        ("sandbox.ImageConfig()",),
        "",
        "more",
        "Indexes of packages, direct references and the network of a build can be named.",
    ),
)

NAMES = (
    Reason(
        "name",
        ("",),
        "Cache CachePolicy CacheRequest RetryStrategy Backoff Timeout TimeoutType Documentation SecretRequest",
        "left out",
        "`cache`, `retries`, `timeout` and `docs` take plain values: a mode, a number, seconds or a timedelta, a str.",
    ),
    Reason(
        "name",
        ("",),
        "Checkpoint BaseCheckpoint latest_checkpoint rerun",
        "left out",
        "`run.resume()` continues a run, and does not repeat what succeeded.",
    ),
    Reason(
        "name",
        ("",),
        "AsyncFunctionTaskTemplate TaskTemplate Environment",
        "other",
        "They are `FunctionTask`, `Task` and `TaskEnvironment`: there is one kind of environment.",
    ),
    Reason(
        "name",
        ("",),
        "build build_images ImageBuild run_python_script",
        "left out",
        "`deploy` and the first run build images. `start` is a run without waiting; where it runs follows from its"
        " environment.",
    ),
    Reason(
        "name",
        ("",),
        "logger system_logger version",
        "other",
        "`logging.getLogger('glovebox')`, and `importlib.metadata.version('glovebox')`.",
    ),
    Reason("name", ("Secret",), "stable_hash", "left out", "A `Secret` is a plain value with a hash of Python."),
    Reason("name", ("io",), "EmptyDir HashFunction PARQUET", "left out", "A handle is named by its content."),
    Reason(
        "name",
        ("errors",),
        "NonRecoverableError",
        "other",
        "Raise `errors.InvalidInputError`: a failure of that class is not tried again.",
    ),
    Reason(
        "name",
        ("errors",),
        "Runtime* BaseRuntimeError CustomError RetriesExhaustedError",
        "better",
        "What a function or a sandbox raised is caught as its own class, also after the last attempt:"
        " `except ZeroDivisionError`. Everything else is a `GloveboxError` with a code.",
    ),
    Reason(
        "name",
        ("errors",),
        "*",
        "other",
        "There is one class for each code of the engine, listed in docs/API.md, each below `GloveboxError` and below"
        " the built-in class of its kind. The names that the documents use are the same.",
    ),
    Reason(
        "name",
        ("Image",),
        "with_* from_pixi_script from_uv_script with_workdir from_ref_name",
        "left out",
        "An image is Debian, a prebuilt one or a Dockerfile: that is what the engine builds in a cell and names by its"
        " content. Code is not in images; it travels with the task.",
    ),
    Reason(
        "name",
        ("Image",),
        "extendable uri validate",
        "left out",
        "An `Image` is a plain value: every `with_` returns another one, and any but a Dockerfile can be extended.",
    ),
    Reason(
        "name parameter",
        ("io.File*", "io.Dir*", "io.DataFrame*"),
        "hash hash_method dir_cache_key file_cache_key remote_destination chunk_size batch_size max_concurrency"
        " named_remote new_remote lazy_uploader Config pre_init schema_match empty is_empty"
        " block_size cache_type cache_options compression **",
        "left out",
        "A handle stands for content that the engine keeps, and never changes: what lies at an address is fetched when"
        " it is read, nothing is written there, and the hash is that of the content.",
    ),
    Reason(
        "name parameter default",
        ("io.DataFrame*",),
        "*",
        "other",
        "A `DataFrame` is the handle of a Parquet, Arrow or CSV file. `open(kind).all()`, `to_pandas()`, `to_polars()`"
        " and `to_arrow()` read it.",
    ),
    Reason(
        "name",
        _TASKS,
        "cache retries timeout docs image resources secrets env_vars parent_env parent_env_name short_name"
        " native_interface task_type task_type_version max_inline_io_bytes",
        "other",
        "`task.policies` has cache, retries and time limit, `task.environment` the rest, `task.interface` the types.",
    ),
    Reason(
        "name",
        _TASKS,
        "*",
        "left out",
        "The machinery of executors and plugins. A task here is a declaration that the engine executes.",
    ),
    Reason(
        "name",
        ("run(add, 1, 2)",),
        "*",
        "other",
        "`cancel()`, `status()`, `info()`, `calls()`, `logs()` and `resume()` do this in the words of the HTTP API.",
    ),
)

PARAMETERS = (
    Reason(
        "way",
        ("TaskEnvironment", "env.clone_with", "init", "init_from_config", "init_in_cluster"),
        "*",
        "better",
        "By keyword only: nobody can tell from a call what the ninth value is.",
    ),
    Reason(
        "default",
        ("TaskEnvironment", "env.task"),
        "depends_on include timeout",
        "other",
        "Another spelling of the same: none.",
    ),
    Reason("default", ("ai.agents.Agent",), "tools mcp_servers skills", "other", "Another spelling of the same: none."),
    Reason(
        "default",
        ("ai.agents.Agent",),
        "call_llm",
        "other",
        "The engine asks the model, with a stored key: no library has to be installed, and no tool sees the key.",
    ),
    Reason(
        "default",
        ("ai.agents.Agent",),
        "approval_callback",
        "other",
        "Without a callback, calls that require approval are refused.",
    ),
    Reason("default", ("ai.agents.MemoryStore",), "messages", "more", "`[]` begins anew, and none is what was saved."),
    Reason(
        "way",
        ("ai.agents.MemoryStore",),
        "read_only_prefixes audit keep_versions remote_path",
        "better",
        "By keyword only: two bools in a row say nothing to a reader.",
    ),
    Reason("parameter", ("env.clone_with",), "**", "left out", "All that can be changed has a name."),
    Reason(
        "parameter",
        ("env.task",),
        "max_inline_io_bytes task_resolver entrypoint",
        "left out",
        "Large values are handles, and a function is found by its module and name.",
    ),
    Reason(
        "parameter way",
        ("Image.from_debian_base",),
        "glovebox_version install_glovebox registry registry_secret name",
        "other",
        "The library of the caller goes into cells, so it has no other version; what follows moved up one place.",
    ),
    Reason(
        "default",
        ("Image.from_dockerfile",),
        "registry name",
        "better",
        "An image is built where it is needed, and named by its content: it needs no registry and no name.",
    ),
    Reason(
        "parameter",
        ("Image.with_pip_packages", "Image.with_requirements"),
        "pre extra_args secret_mounts",
        "left out",
        "Packages name their versions; options of an installer are none of an image; and secrets go into cells of"
        " runs, and never into what is kept as an image.",
    ),
    Reason(
        "parameter",
        ("Image.with_apt_packages", "Image.with_commands"),
        "secret_mounts",
        "left out",
        "Secrets go into cells of runs, and never into what is kept as an image.",
    ),
    Reason("way", ("remote.Task.get",), "version", "other", "Without project and domain it is the second."),
    Reason(
        "parameter",
        ("init", "init_from_config", "init_in_cluster"),
        "*",
        "left out",
        "There is no login, proxy command, storage or builder to configure: an engine has an address and a token,"
        " and a certificate is always checked.",
    ),
    Reason(
        "parameter",
        ("deploy",),
        "version interactive_mode copy_style dryrun",
        "left out",
        "Versions count up by themselves, one for each content, and what is copied is what a task imports.",
    ),
    Reason(
        "parameter",
        ("errors.InvalidPackageError",),
        "package_name original_error",
        "other",
        "Errors are made from what the engine says. `package_name` and `original_error` are attributes.",
    ),
    Reason(
        "refused",
        ("e = errors.InvalidPackageError*",),
        "",
        "other",
        "Errors are made from what the engine says. `package_name` and `original_error` are attributes.",
    ),
)

OUTCOMES = (
    Reason(
        "accepted",
        ("sandbox.create*", "sandbox.orchestrator_from_str*", "env.sandbox.orchestrator(definitions.optional)"),
        "",
        "more",
        "More types cross the boundary: bytes, times, lists, dicts, tuples, `X | None`.",
    ),
    Reason("accepted", ("sandbox.orchestrate_local*tasks={*",), "", "more", "Tools may be given under other names."),
    Reason("accepted", ("*output=None*",), "", "more", "None is the type of no output, as in annotations."),
    Reason(
        "value",
        ("io.File(path='a/b.txt').path",),
        "",
        "better",
        "The path of a local file is absolute: it means the same file after `os.chdir`.",
    ),
    Reason("accepted", ("Image*",), "", "more", "Any image can be extended, a prebuilt one too."),
    Reason("accepted", ("TaskEnvironment(name='CamelCase')",), "", "more", "Names may have capitals and dots."),
    Reason(
        "refused",
        ("Resources(gpu*", "Resources(shm*"),
        "",
        "left out",
        "What the engine cannot give is refused, and not left out silently.",
    ),
    Reason(
        "refused",
        ("env.task(definitions.custom_input)",),
        "",
        "other",
        "Nothing is pickled: what crosses a boundary has a declared type with one encoding, so that data can never be"
        " code. Use a dict for a dataclass.",
    ),
    Reason(
        "value",
        ("sandbox.orchestrate_local('x', inputs={'x': {1}})",),
        "",
        "other",
        "What a program gives away without a declared type is plain JSON: a set is a list. A declared `set[int]` is a"
        " set within and outside.",
    ),
    Reason(
        "refused",
        _EVERYWHERE,
        "",
        "better",
        "It is refused where it is written, with the field, the value and what is expected, and not when it runs, or"
        " never.",
    ),
    Reason(
        "class",
        ("add(*",),
        "",
        "better",
        "Called outside of a run a task is its function, and a wrong call is what Python says it is.",
    ),
    Reason(
        "class",
        ("run(add, 1)", "run(add, x=1, z=2)"),
        "",
        "other",
        "A call with wrong arguments is a TypeError, as everywhere in Python.",
    ),
    Reason(
        "class",
        ("run(add, x='1', y=2)",),
        "",
        "other",
        "`InvalidInputError` is the class of every value that does not fit its type, wherever it is found; it is a"
        " ValueError.",
    ),
    Reason(
        "class",
        ("*definitions.starred)", "env.sandbox.orchestrator(lambda*", "init_from_config*", "io.File.from_local*"),
        "",
        "better",
        "The built-in class of its kind.",
    ),
    Reason(
        "class",
        ("sandbox.create(*", "Image.*", "*from_task*", "env.task(1)", "deploy*", "sandbox.orchestrator_from_str*"),
        "",
        "better",
        "It is checked; there it fails by accident, further down.",
    ),
    Reason(
        "class",
        ("sandbox.orchestrate_local(*",),
        "",
        "better",
        "An error of `glovebox.errors`, with the line of the code, the traceback of its own lines and a hint."
        " It is caught as the class that was raised in the sandbox, too: `except ZeroDivisionError`.",
    ),
    Reason(
        "text",
        ("*definitions.Custom*", "*definitions.custom*", "*takes_callback*", "sandbox.create(*'x': 'int'*"),
        "",
        "kept",
        "The same text, with the types that came to it.",
    ),
    Reason(
        "text",
        _EVERYWHERE,
        "",
        "better",
        "The same class. The text has the field, the value that came and what is expected.",
    ),
    Reason(
        "value",
        ("*SandboxedConfig*", "*plugin_config"),
        "",
        "more",
        "`dialect` chooses between the language of the documents and most of Python.",
    ),
    Reason(
        "value",
        ("env.task(short_name*",),
        "",
        "other",
        "A friendly name is for lists of runs, where a task has one name; so it is a part of that.",
    ),
    Reason("value", ("*definitions.waits).aio*",), "", "better", "`await task.aio()` gives the result of any task."),
    Reason(
        "value",
        ("issubclass*",),
        "",
        "other",
        "Each error is below the built-in class of its kind, where there is one; none is a RuntimeError.",
    ),
)

REASONS: tuple[Reason, ...] = (*CLUSTER, *MODULES, *NAMES, *PARAMETERS, *OUTCOMES)
