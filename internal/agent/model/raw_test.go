package model

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
)

const rawKey = "sk-raw-canary-77"

func rawModel(t *testing.T, turns ...modeltest.Turn) (*modeltest.Server, *Runner, *api.Model) {
	t.Helper()
	provider := modeltest.New(modeltest.Script{Key: rawKey, Turns: turns})
	r := New(Config{Secret: func(string) ([]byte, error) { return []byte(rawKey), nil }})
	t.Cleanup(r.Close)
	return provider, r, &api.Model{Protocol: api.ProtocolAnthropic, Name: "m", BaseURL: serve(t, provider), Key: "stored", Price: api.ModelPrice{Input: 1e6}}
}

// TestRawQuestion: the provider gets the bytes of the program with the key, the
// program hears the stream as it is without the key, and what is kept says what it took.
func TestRawQuestion(t *testing.T) {
	usage := &modeltest.Usage{Input: 9, Cached: 4, Output: 2}
	provider, r, m := rawModel(t, modeltest.Turn{Always: true, Text: "by " + rawKey + " I write", Calls: []modeltest.Call{{ID: "1", Name: "f", Arguments: `{"x":1}`}}, Usage: usage})
	for stream, media := range map[string]string{"true": "text/event-stream", "false": "application/json"} {
		heard := &bytes.Buffer{}
		body := `{"stream": ` + stream + `, "messages": [{"role": "user", "content": "as it was written"}]}`
		q := api.ModelRaw{Path: PathMessages, Body: `{"kept": true}`, Betas: []string{"b-1", "b-2"}}
		a, err := r.Forward(t.Context(), m, q, &Exchange{Body: []byte(body), Begin: func(status int, _, got string) io.Writer {
			if status != 200 || got != media {
				t.Errorf("%d %s", status, got)
			}
			return heard
		}})
		if err != nil {
			t.Fatal(err)
		}
		if want := (api.ModelUsage{Input: 9, CachedInput: 4, Output: 2, Cost: 9, Asked: 1}); a.Usage != want || a.Stop != api.StopCalls || a.Calls[0].Arguments != `{"x":1}` || a.Raw.Type != media {
			t.Errorf("%+v", a)
		}
		if a.Raw.Body != heard.String() || !strings.Contains(heard.String(), `"name":"f"`) || strings.Contains(heard.String()+a.Text, rawKey) {
			t.Errorf("%s: heard %s, kept %+v", stream, heard, a)
		}
		asked := provider.Questions()[len(provider.Questions())-1]
		if string(asked.Body) != body || asked.Header.Get("X-Api-Key") != rawKey || asked.Header.Get("Anthropic-Beta") != "b-1,b-2" {
			t.Errorf("%+v", asked)
		}
	}
	a, err := r.Forward(t.Context(), m, api.ModelRaw{Path: PathMessages, Body: `{"kept": true}`}, nil)
	if asked := provider.Questions(); err != nil || a.Raw == nil || string(asked[len(asked)-1].Body) != `{"kept": true}` {
		t.Errorf("without a program that waits: %+v, %v", a, err)
	}
}

// TestRawFailures: who wrote the question hears the status, and asks again itself.
func TestRawFailures(t *testing.T) {
	provider, r, m := rawModel(t, modeltest.Turn{Match: "busy", Status: 429, Error: "slow down, " + rawKey, Header: map[string]string{"Retry-After": "7"}},
		modeltest.Turn{Match: "wrong", Status: 400, Error: "wrong"}, modeltest.Turn{Match: "breaks", Text: "half", Error: "it broke"}, modeltest.Turn{Match: "page", Body: "<html>", Header: map[string]string{"Content-Type": "text/html"}})
	for word, want := range map[string]api.Code{"busy": api.ModelUnavailable, "wrong": api.ModelRefused, "breaks": api.ModelUnavailable, "page": api.ModelUnavailable} {
		status, after := 0, ""
		body := `{"stream": true, "messages": [{"content": "` + word + `"}]}`
		_, err := r.Forward(t.Context(), m, api.ModelRaw{Path: PathMessages, Body: body}, &Exchange{Body: []byte(body), Begin: func(s int, a, _ string) io.Writer {
			status, after = s, a
			return io.Discard
		}})
		if err == nil || api.AsError(err).Code != want || strings.Contains(err.Error(), rawKey) {
			t.Errorf("%s: %v", word, err)
		}
		if word == "busy" && (status != http.StatusTooManyRequests || after != "7") {
			t.Errorf("%d %q", status, after)
		}
	}
	if n := len(provider.Questions()); n != 4 {
		t.Errorf("%d questions", n)
	}
	for _, q := range []api.ModelRequest{
		{Raw: &api.ModelRaw{Path: "/v1/files", Body: "{}"}}, {Raw: &api.ModelRaw{Path: PathResponses, Body: "{}"}}, {Raw: &api.ModelRaw{Path: PathMessages, Body: "{"}},
		{Raw: &api.ModelRaw{Path: PathMessages, Body: "{}"}, System: "x"},
	} {
		if err := checkRequest(api.ProtocolAnthropic, q); err == nil || api.AsError(err).Code != api.InvalidInput {
			t.Errorf("%+v: %v", q.Raw, err)
		}
	}
}
