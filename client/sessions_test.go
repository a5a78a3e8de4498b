package client

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestProcessIsTakenUp: a connection that breaks loses and repeats nothing.
func TestProcessIsTakenUp(t *testing.T) {
	starts, follows := 0, []string{}
	c := serve(t, routes(map[string]http.HandlerFunc{
		"POST /v1/sessions/s/processes": func(w http.ResponseWriter, _ *http.Request) {
			starts++
			fmt.Fprint(w, "event: started\ndata: {\"type\":\"started\",\"pid\":7,\"offset\":0}\n\nevent: output\ndata: {\"type\":\"output\",\"stream\":\"stdout\",\"data\":\"YWI=\",\"offset\":2}\n\n")
			_ = http.NewResponseController(w).Flush()
			cut(w)
		},
		"GET /v1/sessions/s/processes/7/events": func(w http.ResponseWriter, r *http.Request) {
			follows = append(follows, r.URL.Query().Get("from"))
			fmt.Fprint(w, "event: started\ndata: {\"type\":\"started\",\"pid\":7,\"offset\":2}\n\n: still here\n\n")
			if len(follows) == 1 {
				return // as a server that stops
			}
			fmt.Fprint(w, "event: output\ndata: {\"type\":\"output\",\"data\":\"Yw==\",\"offset\":3}\n\nevent: exited\ndata: {\"type\":\"exited\",\"offset\":3,\"exit\":{\"code\":0,\"status\":0}}\n\n")
		},
	}))
	var seen []string
	for e, err := range c.StartProcess(t.Context(), "s", api.ProcessSpec{Argv: []string{"x"}}) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, e.Type+string(e.Data))
	}
	if got := strings.Join(seen, " "); got != "started outputab outputc exited" || starts != 1 || strings.Join(follows, " ") != "2 2" {
		t.Errorf("got %s after %d starts, follows from %q", got, starts, follows)
	}
}

// TestProcessIsStartedOnce: without a word of a start it is not tried again.
func TestProcessIsStartedOnce(t *testing.T) {
	starts := 0
	c := serve(t, routes(map[string]http.HandlerFunc{
		"POST /v1/sessions/s/processes": func(w http.ResponseWriter, _ *http.Request) { starts++; cut(w) },
	}))
	var last error
	for _, err := range c.StartProcess(t.Context(), "s", api.ProcessSpec{Argv: []string{"x"}}) {
		last = err
	}
	if !errors.Is(last, api.ServerUnavailable) || starts != 1 {
		t.Errorf("got %v after %d starts", last, starts)
	}
}

// TestProblemInAStream: what ended a stream comes out of it.
func TestProblemInAStream(t *testing.T) {
	c := serve(t, routes(map[string]http.HandlerFunc{
		"POST /v1/sessions/s/code": func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept") != eventStream {
				t.Errorf("Accept is %q", r.Header.Get("Accept"))
			}
			fmt.Fprint(w, "event: started\ndata: {\"type\":\"started\"}\n\nevent: problem\ndata: {\"problem\":{\"code\":\"session_ended\",\"detail\":\"it was killed\",\"hint\":\"make a new one\"}}\n\n")
		},
		"POST /v1/sessions/torn/code": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "event: started\ndata: {\"type\":\"started\"}\n\n")
		},
	}))
	for id, want := range map[string]api.Code{"s": api.SessionEnded, "torn": api.ServerUnavailable} {
		var last error
		for _, err := range c.RunCode(t.Context(), id, api.CodeRequest{Code: "1"}) {
			last = err
		}
		if !errors.Is(last, want) {
			t.Errorf("%s: got %v, want %s", id, last, want)
		}
	}
}
