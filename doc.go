// Package glovebox runs unreviewed code, such as code a model wrote, so that it
// can do its job and nothing else. It is the Go interface of Glovebox; the
// command glovebox is the other one.
//
// A [Task] can be run. There are three kinds:
//
//   - a [Sandbox]: any program, in a cell of its own that the kernel isolates;
//   - an [Orchestrator]: restricted Python that can compute, call the tasks that
//     it was granted as tools, and do nothing else;
//   - a [Function]: a Go function of this process, which you do trust.
//
// A [Glovebox] executes them: on a server, by [Dial], or in this process, by Open
// of package embed. Either way every execution of a task is a run: it has an id,
// it is journaled, and it can be followed, canceled, and resumed after a crash.
//
// # A sandbox
//
// A [Sandbox] is a struct literal that describes a program: what runs, what
// goes in and comes out, and what it may use. It does nothing by itself.
//
//	double := glovebox.Sandbox{
//		Name:    "double",
//		Code:    "result = x * 2",
//		Inputs:  []string{"x: int"},
//		Outputs: []string{"result: int"},
//	}
//
// [Glovebox.Run] runs it once: in a cell of its own, an environment isolated
// from the host by gVisor, which is made for this run and destroyed after it.
//
//	func main() {
//		embed.Init() // must come first: see package embed
//		gb, err := embed.Open(embed.Options{})
//		...
//		defer gb.Close()
//		result, err := gb.Run(ctx, double, glovebox.Values{"x": 21})
//		...
//		n, err := glovebox.Get[int](result, "result") // 42
//	}
//
// [Call] does both in one step:
//
//	n, err := glovebox.Call[int](ctx, gb, double, glovebox.Values{"x": 21})
//
// # An orchestrator
//
// An [Orchestrator] is code that calls tools. The code may come from a model, a
// template or a user: it is only a string. Each call of a tool is a run of its
// own; the value of the last expression is the output.
//
//	pipeline := glovebox.Orchestrator{
//		Name:   "pipeline",
//		Source: "partial = add(x, y)\nmultiply(partial, scale)",
//		Inputs: []string{"x: int", "y: int", "scale: int"},
//		Output: "int",
//		Tools:  []glovebox.Task{add, multiply},
//	}
//	n, err := glovebox.Call[int](ctx, gb, pipeline, glovebox.Values{"x": 2, "y": 3, "scale": 4})
//
// Files, directories and tables pass through the code as handles: it can route
// them between tools, and not read them. Calls as arguments of gather, or
// glovebox_map, are concurrent. An orchestrator can be a tool of another.
//
// [Glovebox.Check] finds what would fail before anything runs, and [Glovebox.Prompt]
// tells a model what it may write. [Glovebox.Evaluate] executes code once,
// without a declaration:
//
//	v, err := gb.Evaluate(ctx, "add(x, y) * 2", glovebox.Values{"x": 1, "y": 2}, add)
//
// With the engine in this process, nothing of an evaluation is kept; everything
// else is a run. [WithDurability] chooses.
//
// # A function
//
// [NewFunction] makes a task of a Go function. Its signature is that of the Go
// types:
//
//	add := glovebox.MustFunction("add", func(x, y int) int { return x + y },
//		glovebox.WithParams("x", "y"), glovebox.WithDoc("Adds two numbers."))
//
// It runs in this process, also when the run that calls it is on a server. Runs
// that a function starts with its context belong to its own run and end with it.
//
// A function can be made for a single run, such as a closure over the request
// of a user. It is offered to that run alone until that ends, however many
// others of its name there are:
//
//	fetch := glovebox.MustFunction("fetch", func(doc string) (string, error) { return store.Get(user, doc) },
//		glovebox.WithParams("doc"))
//	v, err := gb.Evaluate(ctx, source, nil, fetch)
//
// One that is there for all runs, also for those that other processes start and
// for deployed tasks, is made once and given to [Glovebox.Register];
// [Glovebox.Unregister] takes it back.
//
// # Runs that outlive their process
//
// [Glovebox.Start] returns as soon as the run is durable, with a [Run] to wait
// for it, follow its events and logs, or cancel it. With [WithIdempotencyKey]
// the same request is one run however often it is made; one that was
// interrupted by the death of its process continues where it was:
//
//	run, err := gb.Start(ctx, pipeline, inputs, glovebox.WithIdempotencyKey("order 7"))
//	...
//	result, err := run.Wait(ctx)
//
// Calls that succeeded are never made again. A call that was under way is made
// again only if its task is idempotent. Otherwise the run ends as
// outcome_unknown, and a person has to find out what happened and record it with
// [Run.Resolve]. [Glovebox.Resume] resumes a run that was interrupted, failed or
// was canceled. [Glovebox.Rerun] makes a new run of an earlier one, with other
// code or inputs, and makes only those calls that are not the same.
//
// A new process does not know functions by itself: it gives them to Start or
// Resume, or to [Glovebox.Register] before. They stand in for the functions that
// the run was started with by name and signature, or by the version of
// [WithVersion]. A run whose functions no process offers fails as
// worker_unavailable.
//
// # Deployed tasks
//
// [Glovebox.Deploy] keeps tasks in a catalog, in versions that never change;
// [Glovebox.Task] finds one by NAME or NAME@VERSION, and what it returns is a
// Task as any other. [Glovebox.Service] has the rest: lists of runs, rollbacks,
// the cache, images, secrets, workers.
//
// # Warm cells
//
// [Glovebox.KeepWarm] keeps cells ready for a sandbox: started, with Python up
// and the modules of Preload imported. A run of any sandbox with the same image,
// resources and modules takes one and answers in milliseconds. Each is used
// once, as every cell is, and replaced meanwhile:
//
//	box := glovebox.Sandbox{Code: "r = f(x)", ..., Preload: []string{"numpy"}}
//	err := gb.KeepWarm(ctx, box, 2)
//
// # The engine
//
// Importing this package alone links no engine: it builds on Linux, macOS and
// Windows, and works on a server, which is the program glovebox with the command
// serve. Package embed adds the engine to a Go program on Linux.
//
// # Three modes
//
// Code is Python whose inputs are variables and whose outputs are the
// variables of the declared names. Line numbers in tracebacks are those of
// Code. With Verbatim, Code is a script as it stands: every input is a
// read-only file /var/inputs/<name> and an argument --name value, and every
// output is read from /var/outputs/<name>. Command is any other program with
// the same files; with neither Code nor Command, the entrypoint of the image
// runs. Values never pass through a shell.
//
// # Types
//
// Inputs and outputs are declared as in a Python signature, and a value is
// checked against its declared type on its way in and out:
//
//	declared              Go, in and out
//	int                   int, int8 to int64, uint to uint64, *big.Int
//	float                 float32, float64
//	str                   string
//	bool                  bool
//	bytes                 []byte
//	datetime              time.Time if it has a time zone, DateTime in any case
//	timedelta             time.Duration, Timedelta for its whole range
//	File, Dir, DataFrame  File, Dir, DataFrame
//	list[T]               []T
//	dict[str, T]          map[string]T, *Dict with its order (out)
//	tuple[...]            Tuple
//	Optional[T]           *T, nil for None
//	Any, Union[...]       any
//
// A File or Dir input is copied into the cell from its Path. A File or Dir
// output is stored below the home of Glovebox and stays there until it is
// pruned.
//
// [Get] and [Result.Scan] convert an output to a Go type; a value that does
// not fit, such as 300 for an int8, is an error and never cut. [Func] goes a
// step further and makes a Go function of a task, with structs for inputs and
// outputs.
//
// # Images
//
// Image declares the file system of the cell: Python packages, Debian
// packages, commands. It resolves once to a lock with every version and hash,
// and the digest of the lock names the image; later runs of the same
// declaration start without touching the network. Building takes place in
// cells too, whose network reaches only the package indexes. Image.Ref takes a
// prebuilt image instead.
//
// # Limits and network
//
// A cell has 1 CPU, 1 GiB of memory, an hour and no network unless the sandbox
// says otherwise. A limit that the host cannot enforce is refused, never
// dropped. Network opens a list of domains, or all public addresses; Result
// lists every connection that was tried.
//
// # Errors
//
// Every failure is an [*Error]: a stable code, a message, a hint what to do,
// whether trying again can help, and how far the run got.
//
//	result, err := gb.Run(ctx, s, in)
//	switch e := (*glovebox.Error)(nil); {
//	case errors.Is(err, glovebox.ErrTimeout):
//		...
//	case errors.As(err, &e) && e.Details.Exception != nil:
//		fmt.Println(e.Details.Exception.Traceback)
//	}
//
// A tool that fails raises in the code that called it. If the code does not
// catch it, the run fails as call_failed, and Details.Call says which call it
// was and why. The error wraps that of the tool, so that errors.Is finds
// ErrFunctionFailed in it too.
//
// Error() is the code and the message, for logs; print Hint of the *Error where
// people read it.
//
// Ending the context of [Glovebox.Run] cancels the run: everything in its cell
// is killed immediately, and so is what it called. [Glovebox.Start] and [Run.Wait]
// leave the run alone.
package glovebox
