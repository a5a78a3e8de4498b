package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent"
	"github.com/glovebox-dev/glovebox/internal/agent/model"
	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
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
				dying := newAsked(straight.host.anew(), mode, says)
				kept, died := dying.crash(t, left)
				if !died {
					t.Errorf("the process did not die after %d submissions", left)
				}
				dying.check(t, fmt.Sprintf("after %d submissions, with %d answers kept", left, kept), kept)
			}
		})
	}
}

// asked is an agent whose questions are counted, by how many there were before.
type asked struct {
	host   *host
	task   *api.Task
	count  []int
	models Runner // of a model that a provider has
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
	if a.models != nil {
		c.Kinds[api.KindModel] = a.models
	}
	c.Kinds[api.KindAgent] = agent.New(agent.Config{Language: orchestrator.New(orchestrator.Config{})})
	return New(c)
}

func (a *asked) total() (n int) {
	for _, each := range a.count {
		n += each
	}
	return n
}

// TestCrashOfAStreamingAgentAtEveryStep does the same with an agent whose code runs
// while its model writes. A process that dies in the middle of an answer has lost
// the rest of it, and the model hears that in place of the same question.
func TestCrashOfAStreamingAgentAtEveryStep(t *testing.T) {
	host := newHost(t)
	for left := 0; ; left++ {
		provider := modeltest.New(modeltest.Script{Turns: []modeltest.Turn{
			{Match: "Value:", Text: "It is 6.", Always: true}, {Match: "cut off", Text: "It is 6.", Always: true},
			{Text: "I add.\n```python\na = add(1, 2)\nb = add(a, 3)\nadd(b, a)\n```\nThat is it.", Always: true, Pause: 200 * time.Microsecond},
		}})
		kept, died := newStreaming(t, host.anew(), provider).crash(t, left)
		var all []string
		for _, q := range provider.Questions() {
			n := slices.Index(all, string(q.Body))
			if n >= 0 && n != kept { // only the one that was under way
				t.Errorf("after %d submissions, with %d answers begun: question %d was asked again", left, kept, n+1)
			}
			if n < 0 {
				all = append(all, string(q.Body))
			}
		}
		if !died {
			if left < 10 {
				t.Errorf("there are %d steps", left)
			}
			return
		}
	}
}

func newStreaming(t *testing.T, h *host, provider http.Handler) *asked {
	server := httptest.NewServer(provider)
	t.Cleanup(server.Close)
	models := model.New(model.Config{Ready: agent.PieceReady})
	t.Cleanup(models.Close)
	a := newAsked(h, api.CodeAgent, conversations[api.CodeAgent])
	a.models = models
	a.task.Agent = &api.Agent{Streaming: true, Model: api.Task{
		Name: "model", Kind: api.KindModel, Signature: api.ModelSignature(), Model: &api.Model{Protocol: api.ProtocolOpenAI, Name: "m", BaseURL: server.URL + "/v1"},
	}}
	return a
}

// crash kills the first process after some submissions, and has a second one go on.
// kept is how many questions had an answer then. Without a death it ended before.
func (a *asked) crash(t *testing.T, left int) (kept int, died bool) {
	t.Helper()
	dying := newCrashing(a.host.journal, left)
	first := a.engine("a", dying)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	submission := api.Submission{Task: a.task, IdempotencyKey: "k"}
	submitted := make(chan struct{})
	go func() {
		defer close(submitted)
		if run, err := first.Submit(ctx, submission); err == nil {
			_, _ = first.Wait(ctx, run.ID) // what became of it, the journal knows
		}
	}()
	select {
	case <-dying.died:
		died = true
	case <-submitted:
	case <-time.After(30 * time.Second):
		t.Fatalf("the process neither ended nor died after %d submissions", left)
	}
	close(dying.gone)
	a.host.kill("a", first)
	cancel()
	<-submitted
	kept = a.kept()
	if a.models != nil {
		a.models.(*model.Runner).Close() // its answers die with it
		a.models = model.New(model.Config{Ready: agent.PieceReady})
		defer a.models.(*model.Runner).Close()
	}

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
	return kept, died
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
