package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
	"github.com/glovebox-dev/glovebox/value"
)

// attempt is one attempt of one run.
type attempt struct {
	req   *api.Request
	agent *api.Agent
	spent spent
	calls calls
	mode  mode

	said   []api.ModelMessage // from the beginning of the conversation
	before int                // of those: what history brought

	final any // the answer
}

// conversationType is that of history and messages: api.ModelMessages as JSON has
// them.
var conversationType = value.ListOf(value.DictOf(value.Type{Kind: value.KindAny}))

// mode is how an agent acts.
type mode interface {
	// rules tell the model how it acts.
	rules() string
	// offered are the tools that the model may ask for.
	offered() []api.ModelTool
	// act does what the model wants, and returns what it hears of it. Without
	// that, the answer was its last.
	act(ctx context.Context, a api.ModelAnswer) ([]api.ModelMessage, error)
	// given returns a final answer that the model gave by a call.
	given() (answer any, ok bool)
	// used is what code took.
	used() api.Usage
	// printed is what code printed.
	printed() []byte
}

func newAttempt(req *api.Request) *attempt {
	a := &attempt{req: req, agent: req.Task.Agent}
	a.spent.budget = a.agent.Budget
	a.calls = calls{caller: req.Caller, agent: a.agent, spent: &a.spent, waiting: map[uint64]func(context.Context, api.Answer) error{}}
	return a
}

func (a *attempt) run(ctx context.Context) error {
	if a.req.Caller.Snapshot() != nil { // another kind of task left it
		a.req.Caller.Restart()
	}
	ctx, cancel := a.spent.within(ctx, a.req.Caller.Began())
	defer cancel()
	err := a.begin()
	if err == nil {
		err = a.turns(ctx)
	}
	return a.spent.explain(ctx, err)
}

// begin prepares the mode and the conversation.
func (a *attempt) begin() (err error) {
	if a.agent.Mode == api.ToolsAgent {
		a.mode, err = newToolMode(&a.calls, a.req.Task)
	} else {
		a.mode, err = newCodeMode(&a.calls, a.req)
	}
	if err != nil {
		return err
	}
	if history, ok := a.req.Inputs.Value(historyInput); ok {
		if err := question.FromValue(conversationType, history, &a.said); err != nil {
			return api.BadValue(api.InvalidInput, "input", historyInput, err)
		}
	}
	a.before = len(a.said)
	first, err := firstMessage(a.req.Inputs)
	a.said = append(a.said, api.ModelMessage{Role: api.RoleUser, Text: first})
	return err
}

func (a *attempt) turns(ctx context.Context) error {
	most := cmp.Or(a.agent.MaxTurns, api.DefaultMaxTurns)
	system := systemPrompt(a.agent.Instructions, a.mode.rules(), a.answerType())
	for turn := 1; turn <= most; turn++ {
		if err := a.spent.mayAsk(); err != nil {
			return err
		}
		a.progress(turn, most)
		question := api.ModelRequest{System: system, Messages: a.said, Tools: a.mode.offered()}
		answer, err := a.ask(ctx, turn, question)
		if err != nil {
			return err
		}
		done, err := a.take(ctx, answer)
		if done || err != nil {
			return err
		}
	}
	return api.Errorf(api.LimitExceeded, "the agent had no answer after %d turns", most).
		WithHint("raise max_turns of the agent, or ask for less").
		WithDetails(api.Details{Field: "agent.max_turns", Limit: int64(most)})
}

// ask asks the model. Of an agent that streams, code is run before the answer has ended.
func (a *attempt) ask(ctx context.Context, turn int, question api.ModelRequest) (api.ModelAnswer, error) {
	m, ok := a.mode.(*codeMode)
	if !ok || !a.agent.Streaming {
		return a.calls.ask(ctx, a.agent.Model.Name, question)
	}
	question.Pieces = fmt.Sprintf("turn %d", turn)
	answer, err := a.calls.ask(ctx, a.agent.Model.Name, question)
	if err != nil || answer.Stop != api.StopMore {
		return answer, err
	}
	return m.hear(ctx, question.Pieces, answer)
}

func (a *attempt) progress(turn, most int) {
	if a.req.Progress != nil {
		a.req.Progress(api.Progress{Stage: "turn", Message: fmt.Sprintf("turn %d asks %s", turn, a.agent.Model.Name), Done: int64(turn), Total: int64(most)})
	}
}

// take does what the model wants, and reports whether that was its answer.
func (a *attempt) take(ctx context.Context, answer api.ModelAnswer) (done bool, err error) {
	a.spent.models = a.spent.models.Add(answer.Usage)
	a.said = append(a.said, api.ModelMessage{Role: api.RoleAssistant, Text: answer.Text, Calls: answer.Calls})
	if answer.Stop == api.StopRefusal {
		return false, api.Errorf(api.ModelRefused, "the model will not answer: %s", value.Shorten(answer.Text, maxShown))
	}
	reply, err := a.mode.act(ctx, answer)
	if err != nil {
		return false, err
	}
	a.said = append(a.said, reply...)
	if v, ok := a.mode.given(); ok {
		a.final = v
		return true, nil
	}
	if len(reply) > 0 {
		return false, nil
	}
	if a.answerType().Kind == value.KindStr {
		a.final = answer.Text
		return true, nil
	}
	a.said = append(a.said, api.ModelMessage{Role: api.RoleUser, Text: wantsFinal})
	return false, nil
}

func (a *attempt) answerType() value.Type { return a.req.Task.Signature.Outputs[0].Type }

// firstMessage is what the inputs ask: a message, and the other inputs by name.
func firstMessage(inputs value.Fields) (string, error) {
	message, _ := inputs.Value(messageInput)
	text, _ := message.(string)
	others := map[string]json.RawMessage{}
	for _, p := range inputs.Params() {
		if p.Name == messageInput || p.Name == historyInput {
			continue
		}
		shown, ok := inputs.ValueJSON(p.Name, p.Type)
		if !ok {
			return "", api.Errorf(api.Internal, "the input %s has no text", p.Name)
		}
		others[p.Name] = shown
	}
	return joinInputs(text, others, inputs.Params()), nil
}

// result is what there is of the attempt, also of one that failed.
func (a *attempt) result(runID string) *api.Result {
	r := &api.Result{RunID: runID}
	if a.mode != nil {
		r.Usage, r.Stdout = a.mode.used(), a.mode.printed()
	}
	if a.agent.Model.KindOf() == api.KindFunction { // the engine counts for itself what models took
		r.Usage.Models = a.spent.models
	}
	if a.final == nil {
		return r
	}
	for _, p := range a.req.Task.Signature.Outputs {
		v := a.final
		if p.Name == messagesOutput {
			said, err := question.AsValue(conversationType, a.said[a.before:])
			if err != nil {
				continue // the engine says that it is missing
			}
			v = said
		}
		r.Outputs = append(r.Outputs, api.Output{Name: p.Name, Type: p.Type, Value: v})
	}
	return r
}
