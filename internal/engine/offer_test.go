package engine

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/glovebox-dev/glovebox/api"
)

// queueHost is two processes that share their queue. Each has room for one orchestrator,
// and that of a is taken until release is closed.
type queueHost struct {
	*host
	t       *testing.T
	a, b    *Engine
	release chan struct{}
}

// inQueue runs a test with a queueHost.
func inQueue(t *testing.T, most int, test func(t *testing.T, q *queueHost)) {
	synctest.Test(t, func(t *testing.T) {
		q := &queueHost{host: newHost(t), t: t, release: make(chan struct{})}
		q.functions.code["hold"] = func(ctx context.Context, _ map[string]any) (any, error) {
			select {
			case <-q.release:
			case <-ctx.Done():
			}
			return int64(0), ctx.Err()
		}
		made := func(owner string) *Engine {
			config := q.config(owner, q.journal)
			config.Limits = map[api.TaskKind]int{api.KindOrchestrator: 1}
			config.MaxQueued = most
			q.alive[owner] = true
			e := New(config)
			e.Share(true)
			return e
		}
		q.a, q.b = made("a"), made("b")
		defer q.b.Close()
		defer q.a.Close()
		submit(t, q.a, api.Submission{Task: orchestrate("hold()", integer, function("hold"))})
		synctest.Wait()
		test(t, q)
	})
}

func (q *queueHost) submit(key string) *api.Run {
	return submit(q.t, q.a, api.Submission{Task: orchestrate("1 + 2", integer), IdempotencyKey: key})
}

func (q *queueHost) is(what string, e *Engine, id string, want api.Status) {
	q.t.Helper()
	if run, err := e.Run(q.t.Context(), id); err != nil || run.Status != want {
		q.t.Errorf("%s: %+v, %v, want %s", what, run, err, want)
	}
}

func (q *queueHost) takes(what string, e *Engine, want int) {
	q.t.Helper()
	if n, err := e.TakeFree(q.t.Context()); n != want || err != nil {
		q.t.Errorf("%s: took %d, %v, want %d", what, n, err, want)
	}
}

// TestOffered: a run for which its process has no room is carried out by another one, as
// if it had been submitted there, and whoever waits for it gets its result.
func TestOffered(t *testing.T) {
	inQueue(t, 0, func(t *testing.T, q *queueHost) {
		run := q.submit("key")
		q.is("offered", q.a, run.ID, api.StatusQueued)
		if n, err := q.b.Recover(t.Context(), false); n != 0 || err != nil {
			t.Errorf("recovered %d, %v", n, err)
		}
		q.is("after recovery", q.b, run.ID, api.StatusQueued)
		if again := q.submit("key"); again.ID != run.ID || again.Status != api.StatusQueued {
			t.Errorf("the same key: %+v", again)
		}
		q.takes("without room", q.a, 0)
		q.takes("with room", q.b, 1)
		q.takes("a second time", q.b, 0)
		result, err := q.a.Wait(t.Context(), run.ID)
		if got := valueFrom(t, result, err); got != int64(3) {
			t.Errorf("got %v", got)
		}
		var kinds []api.EventKind
		for ev, err := range q.a.Events(t.Context(), run.ID, 0) {
			if err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, ev.Kind)
		}
		want := []api.EventKind{api.EventCreated, api.EventStarted, api.EventAttemptStarted, api.EventAttemptEnded, api.EventEnded}
		if !slices.Equal(kinds, want) {
			t.Errorf("the events are %v, want %v", kinds, want)
		}
	})
}

// TestOfferedInOrder: who has room again takes the run that has waited longest.
func TestOfferedInOrder(t *testing.T) {
	inQueue(t, 0, func(t *testing.T, q *queueHost) {
		first, second := q.submit(""), q.submit("")
		close(q.release)
		<-q.a.Freed()
		q.takes("after the end of a run", q.a, 1)
		synctest.Wait()
		q.is("the first", q.b, first.ID, api.StatusSucceeded)
		q.is("the second", q.b, second.ID, api.StatusQueued)
		<-q.a.Freed()
		q.takes("after the end of that", q.a, 1)
	})
}

// TestOfferedCanceled: any process cancels a run that none has taken.
func TestOfferedCanceled(t *testing.T) {
	inQueue(t, 0, func(t *testing.T, q *queueHost) {
		run := q.submit("")
		if err := q.b.Cancel(t.Context(), run.ID, "enough"); err != nil {
			t.Fatal(err)
		}
		if _, err := q.a.Wait(t.Context(), run.ID); !errors.Is(err, &api.Error{Code: api.Canceled}) {
			t.Errorf("got %v", err)
		}
		q.takes("afterwards", q.b, 0)
	})
}

// TestNotOffered: a run stays where it was submitted if only that process can carry it
// out, if people are asked first, or if too many wait for any.
func TestNotOffered(t *testing.T) {
	hold := function("hold")
	path := api.Task{Kind: api.KindSandbox, Code: "1", Image: api.ImageSpec{Ref: "oci:/images/one"}}
	for what, task := range map[string]*api.Task{
		"functions":             orchestrate("1", integer, hold),
		"a path":                orchestrate("1", integer, path),
		"below an agent":        {Kind: api.KindAgent, Agent: &api.Agent{Model: *orchestrate("1", integer, hold)}},
		"a program of the host": {Kind: api.KindMCP, MCP: &api.MCPTool{Server: api.MCPServer{Command: []string{"x"}, Host: true}}},
		"runs of a cell":        {Kind: api.KindSandbox, StartsRuns: true},
		"a base by a path":      {Kind: api.KindSandbox, Image: api.ImageSpec{Base: "./base"}},
	} {
		if anywhere(task) {
			t.Errorf("%s: any process is thought to do", what)
		}
	}
	inQueue(t, 0, func(t *testing.T, q *queueHost) {
		functions := submit(t, q.a, api.Submission{Task: orchestrate("1 + 2", integer, hold)})
		asked := orchestrate("1 + 2", integer)
		asked.Approval = &api.Approval{}
		asks := submit(t, q.a, api.Submission{Task: asked})
		q.takes("of these", q.b, 0)
		q.stays(functions, asks)
	})
	inQueue(t, 0, func(t *testing.T, q *queueHost) {
		parent := submit(t, q.b, api.Submission{Task: orchestrate("hold()", integer, hold)})
		q.stays(submit(t, q.a, api.Submission{Task: orchestrate("1 + 2", integer), Parent: parent.ID}))
	})
	inQueue(t, 1, func(t *testing.T, q *queueHost) {
		any, more := q.submit(""), q.submit("")
		q.takes("what fits", q.b, 1)
		synctest.Wait()
		q.is("any", q.a, any.ID, api.StatusSucceeded)
		q.takes("the rest", q.b, 0)
		q.stays(more)
	})
}

func (q *queueHost) stays(runs ...*api.Run) {
	q.t.Helper()
	for _, run := range runs {
		if q.a.liveRun(run.ID) == nil {
			q.t.Errorf("run %s is gone from its process", run.ID)
		}
	}
}
