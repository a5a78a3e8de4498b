package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// codeMode lets a model write code, block by block, in one console.
type codeMode struct {
	calls   *calls
	req     *api.Request
	options py.Options
	console *py.Console
	world   orchestrator.World
	tools   map[string]*api.Task
	catalog *catalog // nil where the prompt has all stubs
	answer  value.Type

	blocks   int
	begun    uint64               // calls of the code that were seen: all up to this id
	underway map[uint64]*underway // by the number that the code knows
	output   []byte               // the end of what was printed
	made     []made               // calls of this block that were answered
	kept     []made               // of blocks that failed
	late     []api.Answer         // that came between two statements of a block
	live     *live                // the block whose answer is still being written
	final    any
	usage    api.Usage
}

// made is a call that was answered, for a block that is sent again.
type made struct {
	tool, inputs string // inputs as JSON
	answer       api.Answer
}

func newCodeMode(c *calls, req *api.Request) (*codeMode, error) {
	m := &codeMode{
		calls: c, req: req, world: orchestrator.NewWorld(req), tools: map[string]*api.Task{}, underway: map[uint64]*underway{},
		answer: req.Task.Signature.Outputs[0].Type,
	}
	if err := m.setOptions(); err != nil {
		return nil, err
	}
	var err error
	m.console, err = py.NewConsole(m.options, m.variables(), py.RunOptions{Host: m.world.Host(), Limits: limitsOf(req.Task)})
	return m, err
}

func (m *codeMode) setOptions() error {
	m.options = py.Options{Dialect: py.Extended, Inputs: m.variables().Params()}
	if o := m.req.Task.Orchestrator; o != nil {
		if o.Dialect == "strict" {
			m.options.Dialect = py.Strict
		}
		m.options.Grants = py.Grants{Clock: o.Clock.Readable(), Random: o.Random != ""}
		for i := range o.Tools {
			tool, err := orchestrator.ToolOf(&o.Tools[i])
			if err != nil {
				return err
			}
			m.tools[tool.Name] = &o.Tools[i]
			m.options.Tools = append(m.options.Tools, tool)
		}
	}
	m.catalog = catalogOf(m.options.Tools)
	m.options.Tools = append(m.options.Tools, m.functions()...)
	return nil
}

// functions are what the code can call beside the tools.
func (m *codeMode) functions() []py.Tool {
	all := m.catalog.functions()
	if m.answer.Kind == value.KindStr {
		return all
	}
	return append(all, py.Tool{
		Name: finalAnswer, Doc: "Gives your answer and ends your work.", Params: []py.Param{{Name: "answer", Type: m.answer}}, Result: value.Type{Kind: value.KindNone},
	})
}

// variables are the inputs that the code finds.
func (m *codeMode) variables() value.Fields {
	return m.req.Inputs.Without(messageInput, historyInput)
}

func limitsOf(task *api.Task) py.Limits {
	if task.Orchestrator == nil {
		return py.Limits{}
	}
	l := task.Orchestrator.Limits
	return py.Limits{Memory: l.Memory, Depth: l.Depth, Time: l.Time, Steps: l.Steps, Output: l.Output, Calls: l.Calls}
}

func (m *codeMode) rules() string {
	shown := m.options
	if m.catalog != nil {
		shown.Tools = m.functions()
	}
	rules := codeRules(py.ConsolePrompt(shown)+m.catalog.rules(), m.answer.Kind == value.KindStr)
	if m.calls.agent.Streaming {
		rules += streamingRules
	}
	return rules
}

func (m *codeMode) offered() []api.ModelTool { return nil }

func (m *codeMode) given() (any, bool) { return m.final, m.final != nil }

// act runs the block of an answer.
func (m *codeMode) act(ctx context.Context, a api.ModelAnswer) ([]api.ModelMessage, error) {
	b, ok := fenced(a.Text)
	if l := m.live; l != nil {
		m.live = nil
		if l.began() {
			return m.finish(ctx, l, b, a.Stop)
		}
	}
	switch {
	case !ok && a.Stop == api.StopLost:
		return message("Your answer was cut off: the connection was lost. Answer again."), nil
	case !ok && a.Stop == api.StopLength:
		return message("Your answer was cut off. Answer again, shorter."), nil
	case !ok:
		return nil, nil
	case b.open && (a.Stop == api.StopLength || a.Stop == api.StopLost):
		return message(cutOff), nil
	}
	return m.run(ctx, b.code)
}

func message(text string) []api.ModelMessage {
	return []api.ModelMessage{{Role: api.RoleUser, Text: text}}
}

// run runs a block, unless the checker refuses it.
func (m *codeMode) run(ctx context.Context, code string) ([]api.ModelMessage, error) {
	if problems := errorsOf(m.console.Check(code)); len(problems) > 0 {
		return message(refusal(problems)), nil
	}
	m.blocks++
	m.made = nil
	err := m.console.Feed(ctx, m.blockName(), code)
	var bad *py.SourceError
	if errors.As(err, &bad) {
		return message(refusal(bad.Problems)), nil
	}
	if err != nil {
		return nil, err
	}
	if err := m.drive(ctx); err != nil {
		return nil, err
	}
	return m.outcome(ctx)
}

// errorsOf leaves out what only warns.
func errorsOf(problems []py.Problem) []py.Problem {
	return slices.DeleteFunc(problems, func(p py.Problem) bool { return p.Level == py.Warning })
}

// outcome is what the model hears of a block that has ended.
func (m *codeMode) outcome(ctx context.Context) ([]api.ModelMessage, error) {
	m.giveUp()
	printed := m.count()
	result, failed, err := m.settle(ctx)
	return m.told(printed, result, failed), err
}

// count counts what a piece of code took, and returns what it printed.
func (m *codeMode) count() (printed string) {
	used := m.console.State().Usage()
	m.usage.CPU += used.Time
	m.usage.PeakMemory = max(m.usage.PeakMemory, used.Memory)
	return m.print()
}

// settle is what came of a piece of code: its value as text, or why it failed.
func (m *codeMode) settle(ctx context.Context) (result, failed string, err error) {
	state := m.console.State()
	_, err = state.Result()
	if state.Status() == py.Failed {
		failed, err = m.reason(ctx, err)
		return "", failed, err
	}
	result, err = state.Repr()
	if err != nil {
		result = "It has no text: " + err.Error()
	}
	if result == "None" {
		result = ""
	}
	return result, "", nil
}

// told is what the model hears of a block. Answers of one that failed are kept for
// the next.
func (m *codeMode) told(printed, result, failed string) []api.ModelMessage {
	if failed == "" {
		m.kept = nil
		return message(observation(printed, result))
	}
	m.kept = append(m.kept, m.made...)
	return message(failure(printed, failed, m.kept))
}

// reason says why a block failed. Its error ends the attempt.
func (m *codeMode) reason(ctx context.Context, err error) (string, error) {
	var x *py.Exception
	if errors.As(err, &x) {
		return orchestrator.Describe(m.blockName(), x).Traceback, nil
	}
	var limit *py.LimitError
	if errors.As(err, &limit) && limit.Limit != py.Canceled {
		return limit.Error(), nil
	}
	return "", cmp.Or(context.Cause(ctx), err)
}

func (m *codeMode) blockName() string { return fmt.Sprintf("block %d", m.blocks) }

// print passes on what a block printed, and returns it.
func (m *codeMode) print() string {
	text := m.console.State().Output()
	m.output = append(m.output, text...)
	if over := len(m.output) - int(m.req.Task.Limits.WithDefaults().Logs); over > 0 {
		m.output = m.output[over:]
	}
	if m.req.Stdout != nil {
		io.WriteString(m.req.Stdout, text) // an error loses only the stream
	}
	return text
}

func (m *codeMode) printed() []byte { return m.output }

func (m *codeMode) used() api.Usage { return m.usage }
