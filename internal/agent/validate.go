package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
	"github.com/glovebox-dev/glovebox/value"
)

// The inputs and the output that an agent knows by name.
const (
	messageInput   = "message"
	historyInput   = "history"
	messagesOutput = "messages"
)

// Bounds of a task.
const (
	maxTurns        = 10_000
	maxInstructions = 1 << 20 // bytes
)

// Validate reports what is wrong with a task before it is started or kept. The
// engine validates its tools and its model.
func (r *Runner) Validate(task *api.Task) error {
	for _, check := range []func(*api.Task) error{checkShape, checkSignature, checkModel, checkCodeNames, checkBudget, checkApproval, r.config.Language.ValidateGrants} {
		if err := check(task); err != nil {
			return err
		}
	}
	return nil
}

func checkShape(t *api.Task) error {
	a := t.Agent
	switch {
	case a == nil:
		return api.WrongField("agent", "missing", "a model, and what it hears")
	case a.Mode != "" && a.Mode != api.CodeAgent && a.Mode != api.ToolsAgent:
		return api.WrongField("agent.mode", value.Quote(string(a.Mode)), `"code" or "tools"`)
	case a.Streaming && (a.Mode == api.ToolsAgent || a.Model.KindOf() != api.KindModel):
		return api.WrongField("agent.streaming", "true", "false, or an agent that acts by code and has a model of kind model")
	case a.MaxTurns < 0 || a.MaxTurns > maxTurns:
		return api.WrongField("agent.max_turns", fmt.Sprint(a.MaxTurns), fmt.Sprintf("0 (the default, %d) to %d", api.DefaultMaxTurns, maxTurns))
	case t.Orchestrator != nil && !slices.Contains([]string{"", "strict", "extended"}, t.Orchestrator.Dialect):
		return api.WrongField("orchestrator.dialect", value.Quote(t.Orchestrator.Dialect), `"extended" (the default of agents) or "strict"`)
	case len(a.Instructions) > maxInstructions:
		return api.WrongField("agent.instructions", fmt.Sprintf("%d bytes", len(a.Instructions)), fmt.Sprintf("at most %d", maxInstructions))
	}
	return t.CheckForeign("an agent acts by its tools; give it to one of them", "agent", "orchestrator")
}

func checkSignature(t *api.Task) error {
	if err := t.Signature.Check(true); err != nil {
		return err
	}
	for _, p := range t.Signature.Inputs {
		if err := checkKnown("input", p); err != nil {
			return err
		}
	}
	outputs := t.Signature.Outputs
	if len(outputs) == 0 || len(outputs) > 2 || outputs[0].Name == messagesOutput {
		return api.WrongField("signature.outputs", fmt.Sprintf("%d", len(outputs)), "the answer, and nothing or messages after it")
	}
	if len(outputs) == 1 {
		return nil
	}
	if outputs[1].Name != messagesOutput {
		return api.WrongField("signature.outputs", value.Quote(outputs[1].Name), "one of that name: "+messagesOutput)
	}
	return checkKnown("output", outputs[1])
}

// checkKnown checks the type of a parameter whose name says what it is.
func checkKnown(role string, p value.Param) error {
	want, ok := map[string]string{messageInput: "str", historyInput: conversationType.String(), messagesOutput: conversationType.String()}[p.Name]
	if !ok || p.Type.String() == want {
		return nil
	}
	return api.WrongField("signature."+role+"s", p.Name+": "+p.Type.String(), p.Name+": "+want)
}

func checkModel(t *api.Task) error {
	if err := question.CheckModel("agent", &t.Agent.Model); err != nil {
		return err
	}
	return checkNames(t)
}

// checkNames sees that a call names one task alone.
func checkNames(t *api.Task) error {
	seen := map[string]bool{}
	for _, task := range t.Callable() {
		if task.Name == finalAnswer {
			return api.WrongField("name", value.Quote(task.Name), "another name for a tool: an agent gives its answer by that one")
		}
		if task.Name == "" || seen[task.Name] {
			return api.WrongField("name", value.Quote(task.Name), "names that are all different, of the tools, the model and the approval")
		}
		seen[task.Name] = true
	}
	return nil
}

// checkCodeNames keeps the names of the catalog free. It does so for few tools as
// well: one more must not make an agent wrong that was right.
func checkCodeNames(t *api.Task) error {
	if t.Agent.Mode == api.ToolsAgent || t.Orchestrator == nil {
		return nil
	}
	for _, tool := range t.Orchestrator.Tools {
		if inCatalog(tool.Name) {
			return api.WrongField("orchestrator.tools", value.Quote(tool.Name), "another name: the code of an agent finds its tools by that one")
		}
	}
	for _, p := range t.Signature.Inputs {
		if inCatalog(p.Name) {
			return api.WrongField("signature.inputs", value.Quote(p.Name), "another name: the code of an agent finds its tools by that one")
		}
	}
	return nil
}

func checkBudget(t *api.Task) error {
	return question.CheckBudget("agent", t.Agent.Budget, question.HasPrice(&t.Agent.Model))
}

// approvalSignature is that of a task that is asked for approval.
func approvalSignature() api.Signature {
	return api.Signature{
		Inputs:  []value.Param{{Name: "tool", Type: value.Type{Kind: value.KindStr}}, {Name: "arguments", Type: value.DictOf(value.Type{Kind: value.KindAny})}},
		Outputs: []value.Param{{Name: "approved", Type: value.Type{Kind: value.KindBool}}},
	}
}

func checkApproval(t *api.Task) error {
	a := t.Agent
	if a.Approval == nil {
		if len(a.Approve) > 0 {
			return api.WrongField("agent.approval", "missing", "a task that is asked for the approval of "+strings.Join(a.Approve, ", "))
		}
		return nil
	}
	if err := question.CheckSignature("agent.approval.signature", a.Approval.Signature, approvalSignature()); err != nil {
		return err
	}
	for _, name := range a.Approve {
		if t.Orchestrator == nil || !slices.ContainsFunc(t.Orchestrator.Tools, func(tool api.Task) bool { return tool.Name == name }) {
			return api.WrongField("agent.approve", value.Quote(name), "names of tools")
		}
	}
	return nil
}
