package client

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// TestWaitOutlivesARestartBeforeTheFirstAnswer has the server take a run and
// then break off more requests for its result than are repeated without a
// pause.
func TestWaitOutlivesARestartBeforeTheFirstAnswer(t *testing.T) {
	var asked atomic.Int32
	c := serve(t, routes(map[string]http.HandlerFunc{
		"POST /v1/runs": func(w http.ResponseWriter, _ *http.Request) { answer(w, 201, api.Run{ID: "r"}) },
		"GET /v1/runs/{id}/result": func(w http.ResponseWriter, _ *http.Request) {
			if asked.Add(1) <= 10 {
				cut(w)
			}
			answer(w, 200, api.RunResult{Run: &api.Run{ID: "r", Status: api.StatusSucceeded}})
		},
	}))
	run, err := c.Submit(t.Context(), api.Submission{Task: &api.Task{Code: "pass"}})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := c.Wait(t.Context(), run.ID); err != nil || r.RunID != "r" {
		t.Errorf("after %d requests: %+v, %v", asked.Load(), r, err)
	}
}

// TestPatienceEnds holds that a connection that was good is so once, and not
// each time that the server is away after it.
func TestPatienceEnds(t *testing.T) {
	c := serve(t, http.NotFoundHandler())
	c.heard.Store(true)
	gone := c.unavailable("is away", nil)
	p := c.newPatience()
	p.opened = time.Now().Add(-time.Hour)
	if err := p.pause(t.Context(), gone); err != nil || p.since.IsZero() {
		t.Fatalf("at first: %v, since %v", err, p.since)
	}
	p.since = time.Now().Add(-2 * p.bound)
	p.opened = p.since.Add(-time.Hour)
	if err := p.pause(t.Context(), gone); err == nil {
		t.Error("it goes on with a server that is gone")
	}
}
