package server

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/value"
)

func TestBodiesWaitForMemory(t *testing.T) {
	body := `{"name":"` + strings.Repeat("x", budget.Free) + `"}`
	memory := budget.New(budget.Cost([]byte(body)))
	h := start(t, func(c *Config) { c.Memory = memory })
	ctx, share := memory.Share(t.Context())
	if err := budget.Take(ctx, 1); err != nil {
		t.Fatal(err)
	}
	answered := make(chan *http.Response)
	go func() { answered <- h.ask("POST", "/v1/runs", body) }()
	expect(t, h.ask("POST", "/v1/runs", `{"name":"small"}`), http.StatusNotFound, api.NotFound) // does not wait for memory
	select {
	case res := <-answered:
		t.Fatalf("answered with %s while others take the memory", res.Status)
	default:
	}
	share.Release()
	expect(t, <-answered, http.StatusNotFound, api.NotFound)
	res := h.ask("POST", "/v1/runs", `{"name":"`+strings.Repeat("x", 2*budget.Free)+`"}`)
	expect(t, res, http.StatusRequestEntityTooLarge, api.RequestTooLarge)
}

func TestBodiesDoNotWaitForEver(t *testing.T) {
	memory := budget.New(1 << 20)
	h := start(t, func(c *Config) { c.Memory, c.Limits.Stall = memory, 50*time.Millisecond })
	ctx, share := memory.Share(t.Context())
	defer share.Release()
	if err := budget.Take(ctx, 1<<20); err != nil {
		t.Fatal(err)
	}
	expect(t, h.ask("POST", "/v1/runs", `{"name":"`+strings.Repeat("x", budget.Free)+`"}`), http.StatusTooManyRequests, api.Overloaded)
}

// A result is answered within the memory that there is, and holds none of it
// while the client takes the answer.
func TestResultsWaitForMemory(t *testing.T) {
	memory := budget.New(64 << 20)
	h := start(t, func(c *Config) { c.Memory = memory })
	large := strings.Repeat("x", 1<<20)
	outputs := []byte(`{"out":"` + large + `"}`)
	out := []value.Param{{Name: "out", Type: value.Type{Kind: value.KindStr}}}
	h.fake.runs["r"] = &fakeRun{
		Run:    api.Run{ID: "r", Status: api.StatusSucceeded, Outputs: outputs, Signature: &api.Signature{Outputs: out}},
		result: &api.Result{RunID: "r", Outputs: []api.Output{{Name: "out", Type: out[0].Type, Value: large}}},
	}
	ctx, share := memory.Share(t.Context())
	if err := budget.Take(ctx, 64<<20); err != nil {
		t.Fatal(err)
	}
	answered := make(chan *http.Response)
	go func() { answered <- h.ask("GET", "/v1/runs/r/result", "") }()
	share.Release()
	res := <-answered
	if res.StatusCode != http.StatusOK {
		t.Fatal(res.Status)
	}
	ctx, share = memory.Share(context.Background())
	defer share.Release()
	if err := budget.Take(ctx, 64<<20); err != nil { // the body has not been read
		t.Error(err)
	}
	if body := text(t, res); !strings.Contains(body, large) {
		t.Errorf("%d bytes", len(body))
	}
}
