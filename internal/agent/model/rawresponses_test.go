package model

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
)

// TestRawResponses: a question of OpenAI's responses is asked as that of Anthropic is.
func TestRawResponses(t *testing.T) {
	usage := &modeltest.Usage{Input: 9, Cached: 4, Output: 2}
	calls := []modeltest.Call{{ID: "1", Name: "f", Arguments: `{"x":1}`}}
	provider, r, m := rawModel(t, modeltest.Turn{Always: true, Text: "by " + rawKey + " I write", Calls: calls, Usage: usage})
	m.Protocol = api.ProtocolOpenAI
	for _, base := range []string{m.BaseURL, m.BaseURL + "/v1", m.BaseURL + "/v1/"} {
		m.BaseURL = base
		for stream, media := range map[string]string{"true": "text/event-stream", "false": "application/json"} {
			heard := &bytes.Buffer{}
			body := `{"stream": ` + stream + `, "input": "as it was written"}`
			q := api.ModelRaw{Path: PathResponses, Body: `{"kept": true}`, Betas: []string{BetaResponsesLite}}
			a, err := r.Forward(t.Context(), m, q, &Exchange{Body: []byte(body), Begin: func(int, string, string) io.Writer { return heard }})
			if err != nil {
				t.Fatal(err)
			}
			if want := (api.ModelUsage{Input: 9, CachedInput: 4, Output: 2, Cost: 9, Asked: 1}); a.Usage != want || a.Stop != api.StopCalls || a.Raw.Type != media {
				t.Errorf("%+v", a)
			}
			if got := fmt.Sprint(a.Calls); got != `[{1 f {"x":1}}]` || !strings.HasSuffix(a.Text, "I write") {
				t.Errorf("%s, %q", got, a.Text)
			}
			if a.Raw.Body != heard.String() || !strings.Contains(heard.String(), `"name":"f"`) || strings.Contains(heard.String()+a.Text, rawKey) {
				t.Errorf("%s: heard %s, kept %+v", stream, heard, a)
			}
			asked := provider.Questions()[len(provider.Questions())-1]
			h := asked.Header
			if string(asked.Body) != body || h.Get("Authorization") != "Bearer "+rawKey || h.Get(HeaderResponsesLite) != "true" || h.Get("X-Api-Key")+h.Get("Anthropic-Version") != "" {
				t.Errorf("%+v", asked)
			}
		}
	}
}

// TestEndsOfResponses: what a stream says of its end, and one that has none.
func TestEndsOfResponses(t *testing.T) {
	event := func(text string) string { return "data: " + text + "\n\n" }
	for _, c := range []struct{ text, stop, err string }{
		{event(`{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`), "length", ""},
		{event(`{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}}`), "refusal", ""},
		{event(`{"type":"response.output_item.done","item":{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":"a"}}`) + event(`{"type":"response.completed","response":{"status":"completed","error":null}}`), "calls", ""},
		{event(`{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"it broke"}}}`), "", "the provider failed: server_error: it broke"},
		{event(`{"type":"error","code":"rate_limit_exceeded","message":"slow down"}`), "", "rate_limit_exceeded: slow down"},
		{event(`{"type":"response.created","response":{"status":"in_progress"}}`), "", "in the middle"},
		{event(`{"type":`), "", "no answer of its protocol"},
	} {
		_, r, m := rawModel(t, modeltest.Turn{Body: c.text, Header: map[string]string{"Content-Type": "text/event-stream"}})
		m.Protocol = api.ProtocolOpenAI
		a, err := r.Forward(t.Context(), m, api.ModelRaw{Path: PathResponses, Body: `{"input": "a"}`}, nil)
		if string(a.Stop) != c.stop || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", c.text, a.Stop, err)
		}
	}
}
