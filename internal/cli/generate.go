package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
	"github.com/glovebox-dev/glovebox/value"
)

// generateFlags are the flags of glovebox generate.
type generateFlags struct {
	modelFlags
	submitFlags
	cell            cellFlags
	inputs, outputs []string
	samples         []string
	constraints     []string
	codegen         api.Codegen
	mode, backend   string
	agentImage      string
	instructions    string
	report          string
	timeout, limit  duration
	cache           string
	name, isolation string
	json            bool
}

var sampleModes = []string{string(api.SampleRows), string(api.SampleMasked), string(api.SampleSchema)}

var backends = []string{string(api.BackendModel), string(api.BackendClaude)}

const generateHelp = `Have a model write a Python script for a sentence, and tests, which run in cells
until they pass.

Standard output is the script, with the packages that it needs in its first
lines, so that it runs with: glovebox run --verbatim FILE -i NAME:File=DATA.
Its inputs are the samples and what -i declares: the arguments --NAME VALUE.
Its outputs are the files /var/outputs/NAME.

The model sees the samples, but not what the script is run on later. With
--samples masked it sees rows that are made up in the form of the real ones,
with --samples schema only names and types of columns.

With --backend claude, Claude Code writes both: in a cell without a network and
without the key, whose questions the engine asks. Its tests run in others.

Every question, build and run of tests is a run of its own. After a crash,
glovebox resume continues without paying for anything twice, and the same
command again costs nothing.`

func (c *cli) generateCommand() *cobra.Command {
	var f generateFlags
	cmd := &cobra.Command{
		Use: "generate PROMPT --model PROVIDER/MODEL", Short: "Have a model write a script until its tests pass", Long: generateHelp,
		Example: "  glovebox generate 'Sum quantity times price' --model openai/gpt-5 --key openai --sample sales.csv -o total:float > sum.py\n" +
			"  glovebox run --verbatim sum.py -i sales:File=all.csv -o total:float\n" +
			"  glovebox generate 'Count the words' -i text:str -o words:int --model anthropic/claude-opus-5-5 --key claude --candidates 3 --report report.md > count.py",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("there is no prompt").hint("say what the script shall do: glovebox generate 'Sum the prices' --sample sales.csv -o total:float")
			}
			reader := c.readInputs(cmd.Context())
			defer reader.remove()
			task, inputs, err := f.describe(reader, args[0])
			if err != nil {
				return err
			}
			service, err := c.connect(cmd.Context(), f.isolation)
			if err != nil {
				return err
			}
			return closing(service, c.generate(cmd.Context(), service, &f, task, inputs))
		},
	}
	f.register(cmd)
	return cmd
}

func (f *generateFlags) register(cmd *cobra.Command) {
	f.modelFlags.register(cmd)
	f.cell.register(cmd)
	f.submitFlags.register(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.samples, "sample", nil, "sample of an input, a file, as `[NAME=]PATH`; repeatable")
	flags.StringVar(&f.mode, "samples", "", "what the model sees of samples: rows (the default), masked, or schema")
	completeFlag(cmd, "samples", oneOf(sampleModes))
	flags.StringVar(&f.backend, "backend", "", "who writes: model (the default), or claude, which is Claude Code in a cell")
	completeFlag(cmd, "backend", oneOf(backends))
	flags.StringVar(&f.agentImage, "agent-image", "", "image `REF` that has Claude Code, Python and pytest; the default is built")
	flags.IntVar(&f.codegen.AgentTurns, "agent-turns", 0, "limit of the `QUESTIONS` that Claude Code asks in one go (default "+strconv.Itoa(api.DefaultAgentTurns)+")")
	flags.StringArrayVarP(&f.inputs, "input", "i", nil, "further input of the script as `NAME:TYPE`; repeatable; see glovebox help types")
	flags.StringArrayVarP(&f.outputs, "output", "o", nil, "output of the script as `NAME:TYPE`; repeatable")
	flags.StringArrayVar(&f.constraints, "constraint", nil, "`SENTENCE` that the script holds to; repeatable")
	flags.StringVar(&f.codegen.Schema, "schema", "", "`TEXT` about formats and structures")
	flags.StringVar(&f.instructions, "instructions", "", "`TEXT` for the model: what it is to be")
	flags.IntVar(&f.codegen.Candidates, "candidates", 0, "write `N` scripts at once, and mend the best by its tests (default 1)")
	flags.IntVar(&f.codegen.MaxIterations, "max-iterations", 0, "run the tests at most `N` times (default 10)")
	flags.IntVar(&f.codegen.SampleRows, "sample-rows", 0, "show at most `N` rows of a sample (default 100)")
	flags.BoolVar(&f.codegen.SkipTests, "skip-tests", false, "write no tests, and run none")
	flags.IntVar(&f.codegen.Budget.Calls, "max-calls", 0, "limit of `QUESTIONS` to the model")
	flags.Int64Var(&f.codegen.Budget.Tokens, "max-tokens", 0, "limit of `TOKENS` of all questions and answers")
	flags.Float64Var(&f.codegen.Budget.Cost, "max-cost", 0, "limit of the costs of the model in US `DOLLARS`; needs --price, but for --backend claude")
	flags.Var(&f.limit, "max-time", "limit of time, from the beginning to the script")
	flags.Var(&f.timeout, "timeout", "limit of time of the script, and of a run of its tests")
	flags.StringVar(&f.report, "report", "", "write what was asked, tried and spent to `FILE`, as Markdown")
	flags.StringVar(&f.name, "name", "codegen", "`NAME` of the generation in messages and lists")
	flags.StringVar(&f.cache, "cache", string(api.CacheAuto), "auto, override or disable")
	completeFlag(cmd, "cache", oneOf(cacheModes))
	flags.BoolVar(&f.json, "json", false, "print the whole result as one line of JSON")
	flags.StringVar(&f.isolation, "isolation", defaultIsolation, "`DRIVER` of the cells")
}

// describe makes a task, and its inputs, of the flags.
func (f *generateFlags) describe(r *inputs, prompt string) (*api.Task, value.Fields, error) {
	model, err := f.task()
	if err != nil {
		return nil, value.Fields{}, err
	}
	spec := f.codegen
	spec.Model, spec.Script.Name, spec.Script.Timeout = *model, "script", time.Duration(f.timeout)
	spec.Backend, spec.AgentImage.Ref = api.CodegenBackend(f.backend), f.agentImage
	spec.Instructions, spec.Constraints, spec.Samples, spec.Budget.Time = f.instructions, f.constraints, api.SamplesMode(f.mode), time.Duration(f.limit)
	if err := f.cell.describe(&spec.Script); err != nil {
		return nil, value.Fields{}, err
	}
	asked := value.Param{Name: api.CodegenPrompt, Type: value.Type{Kind: value.KindStr}}
	given, err := value.Check([]value.Param{asked}, map[string]any{asked.Name: prompt})
	if err != nil {
		return nil, given, api.AsError(err)
	}
	var names []string
	for _, flag := range f.samples {
		p := sampleOf(flag)
		_, path, named := strings.Cut(flag, "=")
		if !named {
			path = flag
		}
		file, err := r.path(p, path)
		if err != nil {
			return nil, given, err
		}
		given = value.Merge(given, file)
		names, spec.Script.Signature.Inputs = append(names, p.Name), append(spec.Script.Signature.Inputs, p)
	}
	if err := f.declare(&spec.Script.Signature); err != nil {
		return nil, given, err
	}
	return &api.Task{Name: f.name, Kind: api.KindCodegen, Cache: api.CacheMode(f.cache), Signature: api.CodegenSignature(names...), Codegen: &spec}, given, nil
}

// sampleOf is the input that a sample is of: NAME=PATH, or the path of which it gets
// its name.
func sampleOf(flag string) value.Param {
	name, _, named := strings.Cut(flag, "=")
	if !named {
		name = strings.TrimSuffix(filepath.Base(flag), filepath.Ext(flag))
		name = strings.Map(func(c rune) rune {
			if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
				return c
			}
			return '_'
		}, name)
	}
	return value.Param{Name: name, Type: value.Type{Kind: value.KindFile}}
}

// declare adds the inputs and outputs that flags name.
func (f *generateFlags) declare(sig *api.Signature) error {
	for _, flag := range f.inputs {
		p, err := parseDeclaration("input", flag, value.Type{Kind: value.KindStr})
		if err != nil {
			return err
		}
		sig.Inputs = append(sig.Inputs, p)
	}
	for _, flag := range f.outputs {
		p, err := parseOutput(flag)
		if err != nil {
			return err
		}
		sig.Outputs = append(sig.Outputs, p)
	}
	return nil
}

// generate makes the run and prints the script.
func (c *cli) generate(ctx context.Context, service api.Service, f *generateFlags, task *api.Task, inputs value.Fields) error {
	asked, err := f.submission()
	if err != nil {
		return err
	}
	c.noteReceivers(&asked, nil)
	line := newProgress(c.Err, os.Getenv)
	defer line.start()()
	if err := buildcontext.TakeAll(ctx, service, task); err != nil {
		return err
	}
	c.hidden = true
	asked.Task, asked.Checked, asked.Progress = task, inputs, line.show
	run, err := service.Submit(ctx, asked)
	if err != nil {
		line.clear()
		return err
	}
	join := watchCalls(ctx, service, run.ID, line, nil)
	result, err := await(ctx, service, run.ID)
	join()
	line.clear()
	c.run = run.ID
	if err != nil {
		return err
	}
	made, err := api.ReadCodegenResult(result)
	if err != nil {
		return err
	}
	if f.report != "" {
		if err := os.WriteFile(f.report, []byte(made.Report), 0o666); err != nil {
			return api.Errorf(api.Internal, "write the report: %w", err)
		}
	}
	if result.Cached {
		c.tellCached(ctx, service, run.ID, line)
	}
	if f.json {
		return printWhole(c.Out, result, unsuccessful(made))
	}
	if err := unsuccessful(made); err != nil {
		return err
	}
	c.run = ""
	_, err = document(c.Out).Write([]byte(scriptOf(made)))
	return err
}

// unsuccessful is why there is no script, or nil.
func unsuccessful(made *api.CodegenResult) error {
	if made.Success {
		return nil
	}
	return api.Errorf(api.LimitExceeded, "there is no script: %s", made.Error).
		WithHint("say more in the prompt, give a sample, or raise the limit that is named; --report FILE tells what was tried")
}

// scriptOf is the script, with a block that says what it needs (PEP 723).
func scriptOf(made *api.CodegenResult) string {
	packages := slices.DeleteFunc(slices.Clone(made.Image.Packages), func(p string) bool { return p == "pytest" })
	if len(packages) == 0 {
		return made.Code
	}
	var b strings.Builder
	b.WriteString("# /// script\n# dependencies = [\n")
	for _, p := range packages {
		fmt.Fprintf(&b, "#     %q,\n", p)
	}
	b.WriteString("# ]\n# ///\n")
	return b.String() + made.Code
}
