// Package glovebox runs code that nobody has reviewed, such as code a model
// wrote, so that it can do its job and nothing else. It is the Go face of
// Glovebox; the program of the same name is the other one.
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
//		glovebox.Init() // first of all: see below
//		gb, err := glovebox.Open(glovebox.Options{})
//		...
//		defer gb.Close()
//		result, err := gb.Run(ctx, double, glovebox.Values{"x": 21})
//		...
//		n, err := glovebox.Get[int](result, "result") // 42
//	}
//
// # Init
//
// There is no daemon: a cell is the running program, executed once more in
// another role. [Init] plays that role, so it has to be the first statement of
// main, and of TestMain in tests that run cells. [Open] refuses to work
// without it.
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
// step further and makes a Go function of a sandbox, with structs for inputs
// and outputs.
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
// Ending the context of a run kills everything in its cell at once.
package glovebox
