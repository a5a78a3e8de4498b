package cli

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// codeFlags describe an orchestrator; orchestrate and check share them.
type codeFlags struct {
	code    string
	tools   []string
	inputs  []string
	output  string
	dialect string
	grantFlags
}

// grantFlags are what an orchestrator is granted of the world.
type grantFlags struct{ clock, random string }

func (f *grantFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.clock, "clock", "", "let the code read a `CLOCK`: real, fixed:TIME, or virtual for none and sleep that takes no time")
	cmd.Flags().StringVar(&f.random, "random", "", "give the code `RANDOMNESS`: real, or seeded:N")
}

func (f *codeFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.code, "code", "c", "", "the `CODE` itself")
	f.registerInterface(cmd)
}

// registerInterface adds the flags that say what the code meets.
func (f *codeFlags) registerInterface(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.tools, "tools", nil, "grant the tasks of `FILE.yaml`, or of the deployed environment NAME[@VERSION]; repeatable")
	flags.StringVar(&f.output, "output", string(value.KindAny), "`TYPE` of the value of the last expression")
	flags.StringVar(&f.dialect, "dialect", "", "strict (the default) or extended")
	completeFlag(cmd, "dialect", oneOf(dialects))
	f.grantFlags.register(cmd)
}

// orchestrateFlags are the flags of glovebox orchestrate.
type orchestrateFlags struct {
	followFlags
	codeFlags
	inputFlags
	submitFlags
	timeout         duration
	memory          size
	depth           int
	name, isolation string
	cache           string
	skipCheck       bool
	durable, chosen bool // chosen says that durable was given
}

const orchestrateHelp = `Run restricted Python that can do nothing but call the tools it is given.

What would fail is found before any call is made, as glovebox check does it.

The code runs in our own interpreter, not in a cell. Each call of a tool is a
run of its own, as glovebox show tells.

Nothing is kept of the code itself. With --durable it is a run too: after a
crash or a failure, glovebox resume continues without doing again what
succeeded. It is one without the flag on a server, with files among the inputs
or in the types of a tool, with a cache, a label or a receiver of its end;
--durable=false refuses these, and keeps nothing on a server either.

Standard output is one line of JSON, {"result": VALUE}, where the value is that
of the last expression. What the code prints goes to standard error.`

func (c *cli) orchestrateCommand() *cobra.Command {
	var f orchestrateFlags
	cmd := &cobra.Command{
		Use: "orchestrate FILE|- --tools FILE.yaml", Short: "Run restricted Python that calls tools", Long: orchestrateHelp,
		Example: "  glovebox orchestrate pipeline.py --tools tools.yaml -i n:int=10\n" +
			"  glovebox orchestrate -c 'add(x, 1) * 2' --tools tools.yaml -i x:int=5 --output int",
		RunE: func(cmd *cobra.Command, args []string) error {
			reader := c.readInputs(cmd.Context())
			defer reader.remove()
			f.chosen = cmd.Flags().Changed("durable")
			return c.orchestrate(cmd, &f, reader, args)
		},
	}
	f.register(cmd)
	return cmd
}

func (f *orchestrateFlags) register(cmd *cobra.Command) {
	f.codeFlags.register(cmd)
	f.followFlags.register(cmd)
	f.registerVerbose(cmd)
	flags := cmd.Flags()
	f.inputFlags.register(cmd, "input as `NAME[:TYPE]=VALUE`; the type is str unless given")
	f.submitFlags.register(cmd)
	flags.Var(&f.timeout, "timeout", "limit of time of the code itself; waiting for tools does not count")
	flags.Var(&f.memory, "max-memory", "limit of memory of the code's values")
	flags.IntVar(&f.depth, "max-depth", 0, "limit of nested `CALLS` of functions in the code")
	flags.StringVar(&f.name, "name", "", "`NAME` of the orchestrator in messages and lists")
	flags.StringVar(&f.cache, "cache", "", "auto, override or disable (the default)")
	completeFlag(cmd, "cache", oneOf(cacheModes))
	flags.BoolVar(&f.skipCheck, "no-check", false, "start the code although the checker finds that it would fail")
	flags.StringVar(&f.isolation, "isolation", defaultIsolation, "`DRIVER` of the cells of tools")
	flags.BoolVar(&f.durable, "durable", false, "make a run of the code, which can be resumed; the default on a server, and where something has to be kept")
}

// orchestrate makes a run of the code, or evaluates it. What has no tools is
// evaluated without opening a home.
func (c *cli) orchestrate(cmd *cobra.Command, f *orchestrateFlags, r *inputs, args []string) error {
	sig, values, err := r.signature(f.inputFlags, nil)
	if err != nil {
		return err
	}
	if f.chosen && !f.durable {
		if f.detach {
			return errDetachedEvaluation()
		}
		if err := f.checkKept(); err != nil {
			return err
		}
	}
	prepare := func(service api.Service) (*job, error) {
		return c.orchestration(cmd, service, sig, values, f, args)
	}
	if c.remote || len(f.tools) > 0 || f.detach || f.wantsRun(&api.Task{Kind: api.KindOrchestrator, Cache: api.CacheMode(f.cache), Signature: sig}) {
		return c.follow(cmd.Context(), f.followFlags, f.isolation, prepare)
	}
	service, err := c.interpreter()
	if err != nil {
		return err
	}
	return c.do(cmd.Context(), f.followFlags, service, prepare)
}

// wantsRun reports whether a run is made of a task in this process.
func (f *orchestrateFlags) wantsRun(task *api.Task) bool {
	return f.durable || !f.chosen && (task.NeedsRun() != nil || f.given() != "")
}

// orchestration makes a job of the flags.
func (c *cli) orchestration(cmd *cobra.Command, service api.Service, sig api.Signature, values value.Fields, f *orchestrateFlags, args []string) (*job, error) {
	task, err := c.orchestrator(cmd, service, &f.codeFlags, sig.Inputs, args)
	if err != nil {
		return nil, err
	}
	if f.depth < 0 {
		return nil, usage("--max-depth %d is negative", f.depth)
	}
	if f.name != "" {
		task.Name = f.name
	}
	task.Cache, task.Orchestrator.SkipCheck = api.CacheMode(f.cache), f.skipCheck
	task.Orchestrator.Limits = api.OrchestratorLimits{Memory: int64(f.memory), Depth: f.depth, Time: time.Duration(f.timeout)}
	if !f.wantsRun(task) && (f.chosen || !c.remote) {
		return evaluationOf(task, values), nil
	}
	asked, err := f.submission()
	if err != nil {
		return nil, err
	}
	c.noteReceivers(&asked, nil)
	asked.Task, asked.Checked = task, values
	return submission(service, task.Signature, task.Kind, asked), nil
}

// orchestrator reads the code, its tools and the type of its value.
func (c *cli) orchestrator(cmd *cobra.Command, service api.Service, f *codeFlags, inputs []value.Param, args []string) (*api.Task, error) {
	task := &api.Task{Kind: api.KindOrchestrator, Code: f.code}
	if err := c.orchestratorSource(task, splitArgs(args, -1, cmd.Flags().Changed("code"))); err != nil {
		return nil, err
	}
	return task, c.declare(cmd, service, f, inputs, task)
}

// declare puts into the task what its code meets.
func (c *cli) declare(cmd *cobra.Command, service api.Service, f *codeFlags, inputs []value.Param, task *api.Task) error {
	task.Orchestrator = &api.Orchestrator{Dialect: f.dialect, Clock: api.Clock(f.clock), Random: api.Random(f.random)}
	task.Signature.Inputs = inputs
	typ, err := value.ParseType(f.output)
	if err != nil {
		return api.AsError(err)
	}
	task.Signature.Outputs = []value.Param{{Name: "result", Type: typ}}
	task.Orchestrator.Tools, err = c.grant(cmd.Context(), service, f.tools)
	return err
}

// orchestratorSource puts the source into the task, which it also names.
func (c *cli) orchestratorSource(task *api.Task, p program) error {
	switch {
	case len(p.surplus) > 0:
		return usage("unexpected argument %q after %s", p.surplus[0], p.file).hint("write inputs as -i name=value")
	case p.inline && p.file != "":
		return usage("both -c and the file %s are given", p.file).hint("give one of them")
	case !p.inline && p.file == "":
		return usage("there is no code").hint("give a FILE, - for standard input, or -c CODE")
	case p.inline && strings.TrimSpace(task.Code) == "":
		return usage("the code given with -c is empty")
	case p.inline:
		return nil
	}
	if p.file != "-" {
		task.Name = taskNameOf(filepath.Base(p.file))
	}
	return c.readCode(task, p.file)
}

// taskNameOf makes a name for a task of the name of its source, or none if the
// letters do not suit.
func taskNameOf(file string) string {
	name := strings.TrimSuffix(file, filepath.Ext(file))
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
	if strings.Trim(name, letters) != "" || strings.HasPrefix(name, "-") || strings.HasPrefix(name, ".") || len(name) > 60 {
		return ""
	}
	return name
}
