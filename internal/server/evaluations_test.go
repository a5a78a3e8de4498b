package server

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

const evaluationThatWaits = `{"task": {"kind": "orchestrator", "code": "wait"}}`

// TestEvaluationEndsWithTheServer shows that an answer that takes its time shows signs of
// life, and is JSON all the same; and that it ends when the server stops.
func TestEvaluationEndsWithTheServer(t *testing.T) {
	h := start(t, func(c *Config) { c.Limits.Heartbeat = time.Millisecond })
	res := h.ask("POST", "/v1/evaluations", evaluationThatWaits)
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("status %d, %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	beats := make([]byte, 3)
	if _, err := io.ReadFull(res.Body, beats); err != nil || string(beats) != "   " {
		t.Fatalf("got %q, %v", beats, err)
	}
	h.stop()
	var got api.EvaluationResult
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Error == nil || got.Error.Code != api.ServerUnavailable || got.CallsMade != 1 {
		t.Errorf("got %+v", got)
	}
}

// TestEvaluationEndsWithItsClient shows that closing the connection ends it.
func TestEvaluationEndsWithItsClient(t *testing.T) {
	h := start(t)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	req, err := http.NewRequestWithContext(ctx, "POST", "http://glovebox/v1/evaluations", strings.NewReader(evaluationThatWaits))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	answered := make(chan error, 1)
	go func() {
		res, err := h.local.Do(req)
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
		answered <- err
	}()
	<-h.waiting
	leave()
	if <-answered == nil {
		t.Error("it was answered")
	}
	if err := h.active.wait(t.Context()); err != nil { // the handler returns when the evaluation has ended
		t.Error(err)
	}
}

func TestBadEvaluations(t *testing.T) {
	h := start(t)
	h.prepare()
	for _, test := range []struct {
		body   string
		status int
		code   api.Code
		field  string
	}{
		{`{}`, 422, api.InvalidTask, "task"},
		{`{"name": "deployed", "task": {"name": "t"}}`, 422, api.InvalidTask, "task"},
		{`{"name": "unknown"}`, 404, api.NotFound, ""},
		{`{"name": "deployed", "inputs": {"x": "seven"}}`, 422, api.InvalidInput, "x"},
		{`{"name": "deployed", "inputs": 1}`, 422, api.InvalidInput, "inputs"},
		{`{"name": "deployed", "cache": "auto"}`, 422, api.RequestInvalid, "cache"},
		{`{"name": "deployed", "durable": true}`, 422, api.RequestInvalid, "durable"},
	} {
		if p := expect(t, h.ask("POST", "/v1/evaluations", test.body), test.status, test.code); p.Details.Field != test.field {
			t.Errorf("%s: field %q, want %q", test.body, p.Details.Field, test.field)
		}
	}
}
