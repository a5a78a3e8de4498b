package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/typeschema"
	"github.com/glovebox-dev/glovebox/value"
)

// toolMode lets a model ask for tools.
type toolMode struct {
	calls  *calls
	tools  map[string]*api.Task
	schema []api.ModelTool
	answer value.Param
	final  any
}

func newToolMode(c *calls, task *api.Task) (*toolMode, error) {
	m := &toolMode{calls: c, tools: map[string]*api.Task{}, answer: task.Signature.Outputs[0]}
	if o := task.Orchestrator; o != nil {
		for i := range o.Tools {
			if err := m.offer(&o.Tools[i]); err != nil {
				return nil, err
			}
		}
	}
	if m.answer.Type.Kind == value.KindStr {
		return m, nil
	}
	give := api.Task{Name: finalAnswer, Doc: "Gives your answer and ends your work.", Signature: api.Signature{Inputs: []value.Param{{Name: "answer", Type: m.answer.Type}}}}
	return m, m.offer(&give)
}

func (m *toolMode) offer(t *api.Task) error {
	schema, err := json.Marshal(typeschema.Object(t.Signature.Inputs))
	if err != nil {
		return api.Errorf(api.Internal, "the schema of %s: %w", t.Name, err)
	}
	m.tools[t.Name] = t
	m.schema = append(m.schema, api.ModelTool{Name: t.Name, Doc: t.Doc, Parameters: schema})
	return nil
}

func (m *toolMode) rules() string            { return toolRules(m.answer.Type.Kind == value.KindStr) }
func (m *toolMode) offered() []api.ModelTool { return m.schema }
func (m *toolMode) used() api.Usage          { return api.Usage{} }
func (m *toolMode) printed() []byte          { return nil }
func (m *toolMode) given() (any, bool)       { return m.final, m.final != nil }

// act makes the calls that the model asks for, at the same time, and returns their
// answers in its order.
func (m *toolMode) act(ctx context.Context, a api.ModelAnswer) ([]api.ModelMessage, error) {
	if a.Stop == api.StopLength {
		return []api.ModelMessage{{Role: api.RoleUser, Text: "Your answer was cut off. Answer again, shorter."}}, nil
	}
	reply := make([]api.ModelMessage, len(a.Calls))
	for i, call := range a.Calls {
		reply[i] = api.ModelMessage{Role: api.RoleTool, Call: call.ID}
		if err := m.begin(ctx, call, &reply[i]); err != nil {
			return nil, err
		}
	}
	for len(m.calls.waiting) > 0 {
		if _, err := m.calls.wait(ctx, time.Time{}); err != nil {
			return nil, err
		}
	}
	return reply, nil
}

// begin begins a call whose answer goes into reply. What is wrong with the call
// itself goes there at once.
func (m *toolMode) begin(ctx context.Context, call api.ModelCall, reply *api.ModelMessage) error {
	task, ok := m.tools[call.Name]
	if !ok {
		reply.Text, reply.Failed = fmt.Sprintf("Unknown tool %s. There are: %s.", value.Quote(call.Name), strings.Join(m.names(), ", ")), true
		return nil
	}
	inputs, err := argumentsOf(task, call.Arguments)
	if err != nil {
		reply.Text, reply.Failed = "The call was not made: "+err.Error(), true
		return nil
	}
	if call.Name == finalAnswer {
		m.final, reply.Text = inputs["answer"], "It is given."
		return nil
	}
	_, err = m.calls.tool(ctx, call.Name, inputs, func(_ context.Context, a api.Answer) error {
		reply.Text, reply.Failed = shown(a)
		return nil
	})
	return err
}

func (m *toolMode) names() []string {
	names := make([]string, len(m.schema))
	for i, t := range m.schema {
		names[i] = t.Name
	}
	slices.Sort(names)
	return names
}

// argumentsOf reads the arguments of a call as the inputs of its task.
func argumentsOf(task *api.Task, text string) (map[string]any, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	inputs, err := value.Decode("argument", task.InputParams(), []byte(text))
	if err == nil {
		inputs, err = inputs.Complete(task.InputParams())
	}
	if err != nil {
		return nil, err
	}
	inputs, err = inputs.MapFiles(known)
	return inputs.Map(), err
}

// known refuses a file that is named by a path alone, which would be one of the
// host.
func known(name string, file any) (any, error) {
	if ref, ok := value.RefOf(file); ok && ref.SHA256 != "" {
		return file, nil
	}
	return nil, fmt.Errorf("%s: expected a file as another tool gave it, with its sha256", name)
}

// shown is what the model hears of an answer.
func shown(a api.Answer) (text string, failed bool) {
	if a.Err != nil {
		return toolFailure(a.Err), true
	}
	if s, ok := a.Value.(string); ok {
		return clip(s), false
	}
	encoded, err := value.EncodeJSON(value.Type{Kind: value.KindAny}, a.Value)
	if err != nil {
		return "It gave a value that has no text: " + err.Error(), true
	}
	return clip(string(encoded)), false
}
