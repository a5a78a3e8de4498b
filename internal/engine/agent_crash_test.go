package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/value"
)

// conversations are what the model of an agent says, by mode. Each asks for calls
// one after another and at the same time, and makes a mistake.
var conversations = map[api.AgentMode][]api.ModelAnswer{
	api.CodeAgent: {
		{Text: "```python\na = add(1, 2)\nb, c = await gather(add(a, 1), add(a, 2))\n1 / 0\n```", Stop: api.StopEnd},
		{Text: "```python\nno_such_name\n```", Stop: api.StopEnd},
		{Text: "```python\na = add(1, 2)\nadd(a, a)\n```", Stop: api.StopEnd},
		{Text: "It is 6.", Stop: api.StopEnd},
	},
	api.ToolsAgent: {
		{Calls: []api.ModelCall{{ID: "1", Name: "add", Arguments: `{"x": 1, "y": 2}`}, {ID: "2", Name: "add", Arguments: `{"x": 3, "y": 4}`}}, Stop: api.StopCalls},
		{Calls: []api.ModelCall{{ID: "3", Name: "none", Arguments: `{}`}}, Stop: api.StopCalls},
		{Calls: []api.ModelCall{{ID: "4", Name: "add", Arguments: `{"x": 5, "y": 6}`}}, Stop: api.StopCalls},
		{Text: "It is 6.", Stop: api.StopEnd},
	},
}

// TestCrashOfAnAgentAtEveryStep kills the process after each submission to the
// journal and resumes in another: the agent ends as in a straight run, and no
// question whose answer was kept is asked again.
func TestCrashOfAnAgentAtEveryStep(t *testing.T) {
	for mode, says := range conversations {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			straight := newAsked(newHost(t), mode, says)
			e := straight.engine("a", nil)
			defer e.Close()
			result, err := run1(t, e, straight.task, nil)
			if got := valueFrom(t, result, err); got != "It is 6." || straight.total() != len(says) {
				t.Fatalf("%v after %d questions", got, straight.total())
			}
			steps := straight.host.journal.(*memory).changes
			if steps < 2*len(says) {
				t.Fatalf("there are %d steps", steps)
			}
			for left := range steps {
				newAsked(straight.host.anew(), mode, says).crash(t, left)
			}
		})
	}
}

// asked is an agent whose questions are counted, by how many there were before.
type asked struct {
	host  *host
	task  *api.Task
	count []int
}

func newAsked(h *host, mode api.AgentMode, says []api.ModelAnswer) *asked {
	a := &asked{host: h, count: make([]int, len(says))}
	tools := idempotent(h.arithmetic()[:1])
	h.functions.code["model"] = func(_ context.Context, in map[string]any) (any, error) {
		messages, _ := in["request"].(*value.Dict).Get("messages")
		n := 0
		for _, m := range messages.([]any) {
			if role, _ := m.(*value.Dict).Get("role"); role == string(api.RoleAssistant) {
				n++
			}
		}
		h.functions.mu.Lock()
		a.count[n]++
		h.functions.mu.Unlock()
		text, err := json.Marshal(says[n])
		if err != nil {
			return nil, err
		}
		return value.DecodeJSON(api.ModelSignature().Outputs[0].Type, text)
	}
	model := function("model")
	model.Signature, model.Idempotent = api.ModelSignature(), true
	a.task = orchestrate("", value.Type{Kind: value.KindStr}, tools...)
	a.task.Kind, a.task.Agent = api.KindAgent, &api.Agent{Model: model, Mode: mode}
	return a
}

func (a *asked) engine(owner string, j journal.Journal) *Engine {
	if j == nil {
		j = a.host.journal
	}
	a.host.mu.Lock()
	a.host.alive[owner] = true
	a.host.mu.Unlock()
	c := a.host.config(owner, j)
	c.Kinds[api.KindAgent] = agent.New(agent.Config{Language: orchestrator.New(orchestrator.Config{})})
	return New(c)
}

func (a *asked) total() (n int) {
	for _, each := range a.count {
		n += each
	}
	return n
}

// crash kills the first process after some submissions.
func (a *asked) crash(t *testing.T, left int) {
	t.Helper()
	dying := newCrashing(a.host.journal, left)
	first := a.engine("a", dying)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	submission := api.Submission{Task: a.task, IdempotencyKey: "k"}
	submitted := make(chan struct{})
	go func() {
		defer close(submitted)
		_, _ = first.Submit(ctx, submission) // what became of it, the journal knows
	}()
	select {
	case <-dying.died:
	case <-time.After(30 * time.Second):
		t.Fatalf("the process did not die after %d submissions", left)
	}
	close(dying.gone)
	a.host.kill("a", first)
	cancel()
	<-submitted
	kept := a.kept()

	second := a.engine("b", nil)
	defer second.Close()
	if _, err := second.Recover(t.Context(), true); err != nil {
		t.Fatalf("recover after %d submissions: %v", left, err)
	}
	run, err := second.Submit(t.Context(), submission)
	if err != nil {
		t.Fatalf("submit again after %d submissions: %v", left, err)
	}
	result, err := second.Wait(t.Context(), run.ID)
	if got := valueFrom(t, result, err); got != "It is 6." {
		t.Errorf("after %d submissions: %v", left, got)
	}
	a.check(t, fmt.Sprintf("after %d submissions, with %d answers kept", left, kept), kept)
}

// kept counts the questions whose answers are in the journal.
func (a *asked) kept() (n int) {
	for _, rec := range a.host.journal.(*memory).all(nil) {
		if rec.Task == "model" && rec.Status == api.StatusSucceeded {
			n++
		}
	}
	return n
}

// check reports questions that were asked too often: twice may be only the one
// that was under way.
func (a *asked) check(t *testing.T, when string, kept int) {
	t.Helper()
	for i, n := range a.count {
		if n != 1 && (i != kept || n != 2) {
			t.Errorf("%s: question %d was asked %d times", when, i+1, n)
		}
	}
}
