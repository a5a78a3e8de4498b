package engine

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/gateway"
	"github.com/glovebox-dev/glovebox/internal/agent/model"
	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// asker is a cell whose program asks a model three things, the last of which tells
// the answer to the second, as an agent does.
type asker struct {
	*starters
	provider *modeltest.Server
	models   *model.Runner
	asks     *api.Asks
}

func newAsker(t *testing.T) *asker {
	usage := &modeltest.Usage{Input: 10, Output: 1}
	a := &asker{starters: &starters{host: newHost(t)}, provider: modeltest.New(modeltest.Script{Turns: []modeltest.Turn{{Always: true, Text: "so", Usage: usage}}})}
	server := httptest.NewServer(a.provider)
	t.Cleanup(server.Close)
	a.models = model.New(model.Config{Secret: func(string) ([]byte, error) { return []byte("sk"), nil }})
	t.Cleanup(a.models.Close)
	a.asks = &api.Asks{Model: api.Model{Protocol: api.ProtocolAnthropic, Name: "m", BaseURL: server.URL, Key: "k", Price: api.ModelPrice{Input: 1e6}}}
	a.functions.code["main"] = func(ctx context.Context, _ map[string]any) (any, error) {
		ask := gateway.OfRun(a.engine, a.models, ctx.Value(theRun{}).(string))
		heard := ""
		for _, text := range []string{"one", "two", "two"} {
			body := fmt.Sprintf(`{"messages":[{"role":"user","content":%q}]}`, text+heard)
			answer, err := ask(ctx, a.asks.Model, api.ModelRaw{Path: model.PathMessages, Body: body}, &model.Exchange{Body: []byte(body), Begin: func(int, string, string) io.Writer { return nil }})
			if err != nil {
				return nil, err
			}
			heard += " " + answer.Text
		}
		return int64(len(heard)), nil
	}
	return a
}

func (a *asker) on(owner string, j journal.Journal) *Engine {
	config := a.config(owner, j)
	config.Kinds[api.KindSandbox], config.Kinds[api.KindModel] = a.functions, a.models
	a.mu.Lock()
	a.alive[owner] = true
	a.mu.Unlock()
	a.engine = New(config)
	a.t.Cleanup(a.engine.Close)
	return a.engine
}

// answered are the bodies of the questions whose answers the journal has.
func (a *asker) answered() map[string]bool {
	found := map[string]bool{}
	for _, rec := range a.journal.(*memory).all(nil) {
		if rec.Kind == api.KindModel && rec.Status == api.StatusSucceeded {
			found[rec.InputsDigest] = true
		}
	}
	return found
}

// TestQuestionsAfterACrash kills the process of a program that asks a model after each
// submission to the journal, and resumes it: what was answered is not asked again, and
// each answer counts once (attack Q12).
func TestQuestionsAfterACrash(t *testing.T) {
	for left := 1; ; left++ {
		a := newAsker(t)
		main := function("main")
		main.Kind, main.Idempotent, main.Asks = api.KindSandbox, true, a.asks
		dying := newCrashing(a.journal, left)
		first := a.on("a", dying)
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			if run, err := first.Submit(ctx, api.Submission{Task: &main, IdempotencyKey: "k"}); err == nil {
				_, _ = first.Wait(ctx, run.ID) // the journal knows what became of it
			}
		}()
		died := false
		select {
		case <-dying.died:
			died = true
		case <-over:
		}
		close(dying.gone)
		a.kill("a", first)
		cancel()
		<-over
		kept, asked := len(a.answered()), len(a.provider.Questions())

		e := a.on("b", a.journal)
		run, err := e.Submit(t.Context(), api.Submission{Task: &main, IdempotencyKey: "k"})
		if err != nil {
			t.Fatal(err)
		}
		result, err := e.Wait(t.Context(), run.ID)
		if err != nil {
			t.Fatalf("after %d submissions: %v", left, err)
		}
		if again := len(a.provider.Questions()) - asked; again != 3-kept {
			t.Errorf("after %d submissions %d answers were kept, and %d questions asked again", left, kept, again)
		}
		if want := (api.ModelUsage{Input: 30, Output: 3, Cost: 30, Asked: 3}); result.Usage.Models.Asked != want.Asked || result.Usage.Models.Input-want.Input != oneToken.Input {
			t.Errorf("after %d submissions the run has %+v", left, result.Usage.Models)
		}
		if !died {
			if left < 8 {
				t.Errorf("there were %d steps only", left)
			}
			return
		}
	}
}
