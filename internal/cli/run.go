package cli

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
	"github.com/glovebox-dev/glovebox/value"
)

// runFlags are the flags of glovebox run.
type runFlags struct {
	followFlags
	cell     cellFlags
	code     string
	verbatim bool
	stdin    bool
	inputFlags
	outputs         []string
	timeout         duration
	retries         int
	secrets         []string
	cache           string
	name, isolation string
	durable         bool
	submitFlags
}

// defaultIsolation is the driver of cells unless another is named.
const defaultIsolation = "gvisor"

const runHelp = `Run Python or any command once, in a disposable cell.

  glovebox run [FILE|-] [flags]            Python from a file or standard input
  glovebox run -c CODE [flags]             Python from the command line
  glovebox run --verbatim FILE [ARG...]    a script, with arguments
  glovebox run [flags] -- COMMAND [ARG...] any program
  glovebox run --image REF                 the entrypoint of an image

Python runs with its inputs as variables, and its outputs are the variables of
the declared names. With --verbatim, and for commands, inputs are the files
/var/inputs/NAME and outputs the files /var/outputs/NAME. With --stdin they also
get standard input, all of it before they start. Arguments of a script that
begin with - come after --.

With declared outputs, standard output is one line of JSON and what the program
prints goes to standard error; without, both pass through.

A run is kept, with its output and its result: glovebox show tells of it. With
--durable=false there is no run and nothing is kept, which is faster; files,
retries and a cache are refused then.`

func (c *cli) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use: "run [FILE|-] [ARG...] [flags] [-- COMMAND [ARG...]]", Short: "Run code or a command in a cell", Long: runHelp,
		Example: "  glovebox run -c 'result = x * 2' -i x:int=21 -o result:int\n" +
			"  glovebox run etl.py -p 'pandas>=2' -i payload:File=data.json -o total:int\n" +
			"  glovebox run -i data:File=a.txt -- wc -l /var/inputs/data\n" +
			"  sort names.txt | glovebox run --stdin -- uniq -c",
		RunE: func(cmd *cobra.Command, args []string) error {
			reader := c.readInputs(cmd.Context())
			defer reader.remove()
			p := splitArgs(args, cmd.ArgsLenAtDash(), cmd.Flags().Changed("code"))
			if f.verbatim {
				p.takeArguments()
			}
			task, inputs, err := c.task(reader, &f, p)
			if err != nil {
				return err
			}
			if f.detach && !f.durable {
				return errDetachedEvaluation()
			}
			asked, err := f.submission()
			if err != nil {
				return err
			}
			if !f.durable {
				if err := f.checkKept(); err != nil {
					return err
				}
			}
			c.warnOfStdin(p)
			return c.follow(cmd.Context(), f.followFlags, f.isolation, func(service api.Service) (*job, error) {
				if err := buildcontext.TakeAll(cmd.Context(), service, task); err != nil {
					return nil, err
				}
				if !f.durable {
					return evaluationOf(task, inputs), nil
				}
				c.noteReceivers(&asked, nil)
				asked.Task, asked.Checked = task, inputs
				return submission(service, task.Signature, task.Kind, asked), nil
			})
		},
	}
	f.register(cmd)
	c.completeSecrets(cmd, "secret", "registry-secret")
	return cmd
}

func (f *runFlags) register(cmd *cobra.Command) {
	f.cell.register(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&f.code, "code", "c", "", "run `CODE`, which is Python")
	flags.BoolVar(&f.verbatim, "verbatim", false, "run Python as it is: it reads and writes its inputs and outputs itself")
	flags.BoolVar(&f.stdin, "stdin", false, "give standard input to a command or a script, as the input stdin")
	f.inputFlags.register(cmd, "input as `NAME[:TYPE]=VALUE`; the type is str unless given")
	flags.StringArrayVarP(&f.outputs, "output", "o", nil, "output as `NAME:TYPE`; repeatable")
	f.timeout = duration(api.DefaultTimeout)
	flags.Var(&f.timeout, "timeout", "limit of time of an attempt, image build not counted")
	flags.IntVar(&f.retries, "retries", 0, "try a failed run `N` more times")
	flags.StringArrayVar(&f.secrets, "secret", nil, "give the secret as `NAME=VARIABLE`, or NAME for the file /run/secrets/NAME; with @HOST only that host gets it; repeatable")
	flags.StringVar(&f.cache, "cache", "", "auto (the default, but with a network or secrets), override or disable")
	completeFlag(cmd, "cache", oneOf(cacheModes))
	flags.StringVar(&f.name, "name", "", "`NAME` of the sandbox in messages")
	flags.StringVar(&f.isolation, "isolation", defaultIsolation, "`DRIVER` of the cell")
	flags.BoolVar(&f.durable, "durable", true, "keep the run, its output and its result; --durable=false keeps nothing, and waits for no disk")
	f.submitFlags.register(cmd)
	f.followFlags.register(cmd)
}

// program is what the arguments say is to run.
type program struct {
	file      string // a path, "-", or empty
	inline    bool   // -c was given
	command   []string
	arguments []string // of a script
	surplus   []string // arguments that have no meaning
	hasColon  bool     // "--" was given
}

func splitArgs(args []string, dash int, inline bool) program {
	p := program{inline: inline, hasColon: dash >= 0}
	if dash >= 0 {
		p.command, args = args[dash:], args[:dash]
	}
	if len(args) > 0 {
		p.file, p.surplus = args[0], args[1:]
	}
	return p
}

// takeArguments gives what stands behind the file of a script to the script.
func (p *program) takeArguments() {
	if p.file != "" && !p.inline {
		p.arguments = slices.Concat(p.surplus, p.command)
		p.surplus, p.command, p.hasColon = nil, nil, false
	}
}

// task reads the flags and the source.
func (c *cli) task(r *inputs, f *runFlags, p program) (task *api.Task, given value.Fields, err error) {
	if err := p.check(f.cell.image.spec.Ref != ""); err != nil {
		return nil, given, err
	}
	sig, given, err := r.signature(f.inputFlags, f.outputs)
	if err != nil {
		return nil, given, err
	}
	task = &api.Task{
		Name: f.name, Code: f.code, Verbatim: f.verbatim, Command: p.command, Arguments: p.arguments, Signature: sig,
		Timeout: time.Duration(f.timeout), Retries: f.retries, Cache: api.CacheMode(f.cache),
	}
	if err := f.cell.describe(task); err != nil {
		return nil, given, err
	}
	if task.Secrets, err = parseSecrets(f.secrets); err != nil {
		return nil, given, err
	}
	task.Network = task.Network.With(task.Secrets)
	if err := c.source(task, p); err != nil {
		return nil, given, err
	}
	if f.stdin {
		given, err = r.standardInput(task, given)
	}
	return task, given, err
}

// check finds what the arguments lack or have too much of.
func (p program) check(image bool) error {
	switch {
	case len(p.surplus) > 0:
		return usage("unexpected argument %q after %s", p.surplus[0], p.file).
			hint("code gets inputs, as -i name=value; with --verbatim, a script gets arguments; a command is written after --")
	case p.inline && p.file != "":
		return usage("both -c and the file %s are given", p.file).hint("give one of them")
	case (p.inline || p.file != "") && len(p.command) > 0:
		return api.Errorf(api.InvalidTask, "code and command are mutually exclusive").
			WithHint("give FILE or -c, or a command after --, not both").WithDetails(api.Details{Field: "command"})
	case p.hasColon && len(p.command) == 0:
		return usage("there is no command after --")
	case !p.inline && p.file == "" && len(p.command) == 0 && !image:
		return usage("there is nothing to run").hint("give a FILE, -c CODE, -- COMMAND, or --image REF to run its entrypoint")
	}
	return nil
}

// source puts the Python source into the task, with what it says about itself.
func (c *cli) source(task *api.Task, p program) error {
	if p.inline && strings.TrimSpace(task.Code) == "" {
		return usage("the code given with -c is empty")
	}
	if p.file == "" {
		return nil
	}
	if err := c.readCode(task, p.file); err != nil {
		return err
	}
	return addScriptBlock(task, p.file)
}

// readCode puts the source of a file, or of standard input, into the task.
func (c *cli) readCode(task *api.Task, file string) (err error) {
	if file != "-" {
		task.File = filepath.Base(file)
	}
	task.Code, err = c.readSource(file)
	return err
}

// maxSource bounds a Python source; anything larger is not code.
const maxSource = 64 << 20

func (c *cli) readSource(path string) (string, error) {
	var from io.Reader
	var err error
	if path == "-" {
		from, err = c.stdin("the code")
		if err != nil {
			return "", err
		}
	} else {
		file, err := os.Open(path)
		if err != nil {
			return "", usage("%s", err).hint("name a file with Python source, or - for standard input")
		}
		defer file.Close()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, maxSource+1))
	switch {
	case err != nil:
		return "", usage("read %s: %s", path, err)
	case len(text) > maxSource:
		return "", usage("%s is larger than 64 MiB", path).hint("give data as an input: -i name:File=PATH")
	case strings.TrimSpace(string(text)) == "":
		return "", usage("%s holds no code", path)
	}
	return string(text), nil
}

// addScriptBlock takes over what a PEP 723 block declares. Flags go first: a
// prebuilt image and that of a Dockerfile have their packages, and --python overrules requires-python.
func addScriptBlock(task *api.Task, file string) error {
	block, err := readScriptBlock(task.Code, file)
	if err != nil || task.Image.Ref != "" { // a Dockerfile too, as yet
		return err
	}
	task.Image.Packages = append(task.Image.Packages, block.Dependencies...)
	block.indexes(&task.Image)
	if task.Image.Python == "" {
		task.Image.Python, err = pythonFor(block.RequiresPython)
	}
	return err
}
