package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// agentFlags are the flags of glovebox agent.
type agentFlags struct {
	followFlags
	inputFlags
	submitFlags
	modelFlags
	grantFlags
	tools           []string
	mode            string
	streaming       bool
	instructions    string
	output          string
	turns           int
	budget          api.Budget
	timeout         duration
	name, isolation string
	cache           string
}

// modelFlags say which model is asked.
type modelFlags struct{ model, url, key, price string }

var agentModes = []string{string(api.CodeAgent), string(api.ToolsAgent)}

const agentHelp = `Let a model do what a message asks for, with the tools that it is given.

The model writes restricted Python, block by block, that calls the tools; what
would fail is found before any call is made, and the model gets the reason. With --mode tools it asks for one tool or several at a time instead.

Every question to the model and every call of a tool is a run of its own. After
a crash, glovebox resume continues without asking or doing anything twice.

The key of the model is a stored secret: glovebox secret set openai. Servers
that need none, on this machine for example, are named by --model-url alone.

Standard output is one line of JSON, {"answer": VALUE}. What the code prints
goes to standard error.`

func (c *cli) agentCommand() *cobra.Command {
	var f agentFlags
	cmd := &cobra.Command{
		Use: "agent MESSAGE --model PROVIDER/MODEL --tools FILE.yaml", Short: "Let a model act by code that calls tools", Long: agentHelp,
		Example: "  glovebox agent 'What do tea and cake cost?' --model openai/gpt-5 --key openai --tools shop.yaml\n" +
			"  glovebox agent 'Add them' -i numbers:list[int]=[1,2] --model openai/local --model-url http://127.0.0.1:8080/v1 --output int",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("there is no message").hint("say what the model shall do: glovebox agent 'What is ...?'")
			}
			reader := c.readInputs(cmd.Context())
			defer reader.remove()
			sig, values, err := reader.signature(f.inputFlags, nil)
			if err != nil {
				return err
			}
			return c.follow(cmd.Context(), f.followFlags, f.isolation, func(service api.Service) (*job, error) {
				return c.agent(cmd, service, &f, args[0], sig, values)
			})
		},
	}
	f.register(cmd)
	return cmd
}

func (f *agentFlags) register(cmd *cobra.Command) {
	f.followFlags.register(cmd)
	f.registerVerbose(cmd)
	f.modelFlags.register(cmd)
	f.grantFlags.register(cmd)
	f.inputFlags.register(cmd, "input as `NAME[:TYPE]=VALUE`, which the code finds as a variable; the type is str unless given")
	f.submitFlags.register(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.tools, "tools", nil, "grant the tasks of `FILE.yaml`, or of the deployed environment NAME[@VERSION]; repeatable")
	flags.StringVar(&f.mode, "mode", "", "code (the default) or tools: how the model acts")
	completeFlag(cmd, "mode", oneOf(agentModes))
	flags.BoolVar(&f.streaming, "streaming", false, "run each statement while the model still writes the next")
	flags.StringVar(&f.instructions, "instructions", "", "`TEXT` for the model before the message")
	flags.StringVar(&f.output, "output", string(value.KindStr), "`TYPE` of the answer")
	flags.IntVar(&f.turns, "max-turns", 0, "limit of `QUESTIONS` to the model (default "+strconv.Itoa(api.DefaultMaxTurns)+")")
	flags.IntVar(&f.budget.Calls, "max-calls", 0, "limit of `CALLS` of tools")
	flags.Int64Var(&f.budget.Tokens, "max-tokens", 0, "limit of `TOKENS` of all questions and answers")
	flags.Float64Var(&f.budget.Cost, "max-cost", 0, "limit of the costs of the model in US `DOLLARS`; needs --price")
	flags.Var(&f.timeout, "timeout", "limit of time, from the beginning to the answer")
	flags.StringVar(&f.name, "name", "agent", "`NAME` of the agent in messages and lists")
	flags.StringVar(&f.cache, "cache", "", "auto, override or disable (the default)")
	completeFlag(cmd, "cache", oneOf(cacheModes))
	flags.StringVar(&f.isolation, "isolation", defaultIsolation, "`DRIVER` of the cells of tools")
}

func (f *modelFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.model, "model", "", "`PROVIDER/MODEL`: openai or anthropic, and the model as the provider spells it")
	flags.StringVar(&f.url, "model-url", "", "`URL` of another server that speaks as the provider does")
	flags.StringVar(&f.key, "key", "", "stored `SECRET` that is the key of the model")
	flags.StringVar(&f.price, "price", "", "price of a million tokens in US dollars: `INPUT,OUTPUT` or INPUT,CACHED,OUTPUT")
}

// agent makes a job of the flags.
func (c *cli) agent(cmd *cobra.Command, service api.Service, f *agentFlags, message string, sig api.Signature, values value.Fields) (*job, error) {
	model, err := f.task()
	if err != nil {
		return nil, err
	}
	output, err := value.ParseType(f.output)
	if err != nil {
		return nil, api.AsError(err)
	}
	f.budget.Time = time.Duration(f.timeout)
	task := &api.Task{
		Name: f.name, Kind: api.KindAgent, Cache: api.CacheMode(f.cache),
		Agent:        &api.Agent{Model: *model, Instructions: f.instructions, Mode: api.AgentMode(f.mode), Streaming: f.streaming, MaxTurns: f.turns, Budget: f.budget},
		Orchestrator: &api.Orchestrator{Clock: api.Clock(f.clock), Random: api.Random(f.random)},
	}
	if task.Orchestrator.Tools, err = c.grant(cmd.Context(), service, f.tools); err != nil {
		return nil, err
	}
	said := value.Param{Name: "message", Type: value.Type{Kind: value.KindStr}}
	task.Signature = api.Signature{Inputs: append([]value.Param{said}, sig.Inputs...), Outputs: []value.Param{{Name: "answer", Type: output}}}
	first, err := value.Check([]value.Param{said}, map[string]any{said.Name: message})
	if err != nil {
		return nil, api.AsError(err)
	}
	asked, err := f.submission()
	if err != nil {
		return nil, err
	}
	c.noteReceivers(&asked, nil)
	asked.Task, asked.Checked = task, value.Merge(first, values)
	return submission(service, task.Signature, task.Kind, asked), nil
}

// task is the model that the flags name.
func (f *modelFlags) task() (*api.Task, error) {
	provider, name, ok := strings.Cut(f.model, "/")
	if !ok || provider != api.ProtocolOpenAI && provider != api.ProtocolAnthropic {
		return nil, usage("--model is %s, expected openai/MODEL or anthropic/MODEL", value.Quote(f.model)).
			hint("servers that speak as OpenAI does are openai/MODEL with --model-url")
	}
	price, err := parsePrice(f.price)
	if err != nil {
		return nil, err
	}
	return &api.Task{
		Name: "model", Kind: api.KindModel, Signature: api.ModelSignature(),
		Model: &api.Model{Protocol: provider, Name: name, BaseURL: f.url, Key: f.key, Price: price},
	}, nil
}

func parsePrice(text string) (p api.ModelPrice, err error) {
	if text == "" {
		return p, nil
	}
	var numbers []float64
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return p, badPrice(text)
		}
		numbers = append(numbers, n)
	}
	switch len(numbers) {
	case 2:
		return api.ModelPrice{Input: numbers[0], Output: numbers[1]}, nil
	case 3:
		return api.ModelPrice{Input: numbers[0], CachedInput: numbers[1], Output: numbers[2]}, nil
	}
	return p, badPrice(text)
}

func badPrice(text string) error {
	return usage("--price is %s, expected numbers: INPUT,OUTPUT or INPUT,CACHED,OUTPUT", value.Quote(text))
}
