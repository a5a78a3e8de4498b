package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
	"github.com/glovebox-dev/glovebox/value"
)

const secretKey = "sk-test-0123456789abcdef"

var protocols = []string{api.ProtocolOpenAI, api.ProtocolAnthropic}

// world is a runner, and the provider that its tasks name.
type world struct {
	*Runner
	server *modeltest.Server
	task   *api.Task
}

func newWorld(t *testing.T, protocol string, s modeltest.Script) *world {
	t.Helper()
	server := modeltest.New(s)
	return &world{newRunner(t), server, taskAt(protocol, serve(t, server)+"/v1")}
}

func newRunner(t *testing.T) *Runner {
	r := New(Config{Secret: func(name string) ([]byte, error) {
		if name != "provider" {
			return nil, api.Errorf(api.SecretNotFound, "there is no secret %s", name)
		}
		return []byte(secretKey + "\n"), nil
	}})
	t.Cleanup(r.Close)
	return r
}

func serve(t *testing.T, h http.Handler) string {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func taskAt(protocol, url string) *api.Task {
	return &api.Task{Name: "ask", Kind: api.KindModel, Signature: api.ModelSignature(), Timeout: 20 * time.Second,
		Model: &api.Model{Protocol: protocol, Name: "large", BaseURL: url, Key: "provider"}}
}

// ask runs the task with a request, which the program of a user would give.
func (w *world) ask(ctx context.Context, request any, stdout *bytes.Buffer) (answer api.ModelAnswer, result *api.Result, err error) {
	text, err := json.Marshal(map[string]any{"request": request})
	if err != nil {
		return answer, nil, err
	}
	inputs, err := value.Decode("input", w.task.Signature.Inputs, text)
	if err != nil {
		return answer, nil, err
	}
	req := &api.Request{Task: w.task, Inputs: inputs, IdempotencyKey: "once"}
	if stdout != nil {
		req.Stdout = stdout
	}
	result, err = w.Run(ctx, "run", req)
	if err != nil {
		return answer, result, err
	}
	if text, err = value.EncodeJSON(result.Outputs[0].Type, result.Outputs[0].Value); err != nil {
		return answer, result, err
	}
	return answer, result, json.Unmarshal(text, &answer)
}

func says(text string) api.ModelRequest {
	return api.ModelRequest{Messages: []api.ModelMessage{{Role: api.RoleUser, Text: text}}}
}

func TestAnswers(t *testing.T) {
	usage := &modeltest.Usage{Input: 30, Cached: 20, Output: 5}
	counted := api.ModelUsage{Input: 30, CachedInput: 20, Output: 5}
	call := modeltest.Call{ID: "c1", Name: "weather", Arguments: `{"city": "Paris", "$date": "x"}`}
	for _, test := range []struct {
		name string
		turn modeltest.Turn
		want api.ModelAnswer
	}{
		{"text", modeltest.Turn{Text: "It is fine.", Usage: usage}, api.ModelAnswer{Text: "It is fine.", Stop: api.StopEnd, Usage: counted}},
		{"a call", modeltest.Turn{Calls: []modeltest.Call{call}, Usage: usage},
			api.ModelAnswer{Calls: []api.ModelCall{{ID: "c1", Name: "weather", Arguments: call.Arguments}}, Stop: api.StopCalls, Usage: counted}},
		{"text and calls", modeltest.Turn{Text: "Let me see.", Calls: []modeltest.Call{call, {ID: "c2", Name: "clock", Arguments: "{}"}}, Usage: usage},
			api.ModelAnswer{Text: "Let me see.", Stop: api.StopCalls, Usage: counted,
				Calls: []api.ModelCall{{ID: "c1", Name: "weather", Arguments: call.Arguments}, {ID: "c2", Name: "clock", Arguments: "{}"}}}},
		{"cut off", modeltest.Turn{Text: "It is", Stop: "length", Usage: usage}, api.ModelAnswer{Text: "It is", Stop: api.StopLength, Usage: counted}},
		{"refused", modeltest.Turn{Text: "No.", Stop: "content_filter", Usage: usage}, api.ModelAnswer{Text: "No.", Stop: api.StopRefusal, Usage: counted}},
		{"nothing", modeltest.Turn{Usage: usage}, api.ModelAnswer{Stop: api.StopEnd, Usage: counted}},
	} {
		for _, protocol := range protocols {
			t.Run(test.name+" by "+protocol, func(t *testing.T) {
				w := newWorld(t, protocol, modeltest.Script{Key: secretKey, Turns: []modeltest.Turn{test.turn}})
				var stdout bytes.Buffer
				answer, result, err := w.ask(t.Context(), says("How is it?"), &stdout)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(test.want, answer); d != "" {
					t.Error(d)
				}
				if stdout.String() != test.want.Text || string(result.Stdout) != test.want.Text {
					t.Errorf("printed %q, kept %q", stdout.String(), result.Stdout)
				}
				if result.Usage.Models != answer.Usage {
					t.Errorf("usage %+v", result.Usage.Models)
				}
				if key := w.server.Questions()[0].Header.Get("Idempotency-Key"); key != "once" {
					t.Errorf("idempotency key %q", key)
				}
			})
		}
	}
}

// conversation has everything that a request can have.
func conversation() api.ModelRequest {
	temperature := 0.5
	return api.ModelRequest{
		System: "Be brief.", MaxTokens: 100, Temperature: &temperature,
		Messages: []api.ModelMessage{
			{Role: api.RoleUser, Text: "Weather?"},
			{Role: api.RoleAssistant, Text: "I look.", Calls: []api.ModelCall{{ID: "1", Name: "weather", Arguments: `{"city":"Rome"}`}, {ID: "2", Name: "weather", Arguments: "{oops"}}},
			{Role: api.RoleTool, Call: "1", Text: "sunny"},
			{Role: api.RoleTool, Call: "2", Text: "no city", Failed: true},
			{Role: api.RoleUser, Text: "And?"},
		},
		Tools:  []api.ModelTool{{Name: "weather", Doc: "Tells the weather.", Parameters: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"$ref":"#/$defs/a"}}}`)}},
		Schema: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}},"required":["z","a"],"additionalProperties":false}`),
	}
}

// TestRequests: what a provider gets is the whole conversation, in its words and
// with schemas in their order.
func TestRequests(t *testing.T) {
	const tool = `{"type":"object","properties":{"z":{"type":"string"},"a":{"$ref":"#/$defs/a"}}}`
	const schema = `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer"}},"required":["z","a"],"additionalProperties":false}`
	for protocol, want := range map[string]string{
		api.ProtocolOpenAI: `{"model":"large","max_tokens":100,"temperature":0.5,"stream":true,"stream_options":{"include_usage":true},"messages":[
			{"role":"system","content":"Be brief."},{"role":"user","content":"Weather?"},
			{"role":"assistant","content":"I look.","tool_calls":[
				{"id":"1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}},
				{"id":"2","type":"function","function":{"name":"weather","arguments":"{oops"}}]},
			{"role":"tool","tool_call_id":"1","content":"sunny"},{"role":"tool","tool_call_id":"2","content":"Error: no city"},
			{"role":"user","content":"And?"}],
			"tools":[{"type":"function","function":{"name":"weather","description":"Tells the weather.","parameters":` + tool + `}}],
			"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":` + schema + `}}}`,
		api.ProtocolAnthropic: `{"model":"large","max_tokens":100,"temperature":0.5,"stream":true,"cache_control":{"type":"ephemeral"},
			"system":[{"type":"text","text":"Be brief."}],"messages":[
			{"role":"user","content":[{"type":"text","text":"Weather?"}]},
			{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"1","name":"weather","input":{"city":"Rome"}},
				{"type":"tool_use","id":"2","name":"weather","input":{"INVALID_JSON":"{oops"}}]},
			{"role":"user","content":[
				{"type":"tool_result","tool_use_id":"1","is_error":false,"content":[{"type":"text","text":"sunny"}]},
				{"type":"tool_result","tool_use_id":"2","is_error":true,"content":[{"type":"text","text":"no city"}]},
				{"type":"text","text":"And?"}]}],
			"tools":[{"name":"weather","description":"Tells the weather.","input_schema":` + tool + `}],
			"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}}`,
	} {
		t.Run(protocol, func(t *testing.T) {
			w := newWorld(t, protocol, modeltest.Script{Turns: []modeltest.Turn{{Text: "{}"}}})
			if _, _, err := w.ask(t.Context(), conversation(), nil); err != nil {
				t.Fatal(err)
			}
			sent := w.server.Questions()[0].Body
			if d := cmp.Diff(tree(t, []byte(want)), tree(t, sent)); d != "" {
				t.Error(d)
			}
			for _, schema := range []string{tool, schema} {
				if !bytes.Contains(sent, []byte(schema)) {
					t.Errorf("the order of %s is lost in %s", schema, sent)
				}
			}
		})
	}
}

func tree(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFailures(t *testing.T) {
	for _, test := range []struct {
		name        string
		turn        modeltest.Turn
		code        api.Code
		words, hint string
	}{
		{"the key", modeltest.Turn{Status: 401, Error: "bad key " + secretKey}, api.ModelRefused, "bad key [redacted] (status 401)", "glovebox secret set provider"},
		{"the name", modeltest.Turn{Status: 404, Error: "no such model"}, api.ModelRefused, "no such model", `"large"`},
		{"the size", modeltest.Turn{Status: 413, Error: "too long"}, api.ModelRefused, "too long", "the conversation is too long"},
		{"the request", modeltest.Turn{Status: 400, Error: "bad schema"}, api.ModelRefused, "bad schema", "correct what the provider's message names"},
		{"a long message", modeltest.Turn{Status: 400, Error: strings.Repeat("x", 1<<20)}, api.ModelRefused, "xxx", ""},
		{"words without a form", modeltest.Turn{Status: 502, Body: "<html>bad gateway</html>"}, api.ModelUnavailable, "<html>bad gateway</html> (status 502)", ""},
		{"no words", modeltest.Turn{Status: 500, Body: " "}, api.ModelUnavailable, "did not say why", ""},
		{"too much to wait for", modeltest.Turn{Status: 429, Error: "tomorrow", RetryAfter: 24 * time.Hour}, api.ModelUnavailable, "tomorrow (status 429)", ""},
		{"in the middle", modeltest.Turn{Text: "I was", Error: "overloaded " + secretKey}, api.ModelUnavailable, "overloaded [redacted]", ""},
		{"no stream", modeltest.Turn{Body: "hello"}, api.ModelUnavailable, "no answer of its protocol", ""},
		{"events of something else", modeltest.Turn{Body: "data: 17\n\n"}, api.ModelUnavailable, "no answer of its protocol", ""},
		{"another status", modeltest.Turn{Status: 202, Body: "data: {}\n\n"}, api.ModelUnavailable, "no answer of its protocol (status 202)", ""},
		{"cut", modeltest.Turn{Header: map[string]string{"Content-Type": "text/event-stream"}, Body: "event: ping\ndata: {\"type\":\"ping\"}\n\n"}, api.ModelUnavailable, "in the middle", ""},
	} {
		for _, protocol := range protocols {
			t.Run(test.name+" by "+protocol, func(t *testing.T) {
				test.turn.Always = true
				w := newWorld(t, protocol, modeltest.Script{Turns: []modeltest.Turn{test.turn}})
				w.retries = 0
				_, _, err := w.ask(t.Context(), says("hi"), nil)
				e := api.AsError(err)
				if e == nil || e.Code != test.code || !strings.Contains(e.Message, test.words) || !strings.Contains(e.Hint, test.hint) {
					t.Fatalf("%+v, want %s, %q and the hint %q", e, test.code, test.words, test.hint)
				}
				if text := fmt.Sprintf("%#v %v", e, err); strings.Contains(text, secretKey) || len(e.Message) > 4<<10 {
					t.Errorf("the error has %d bytes or the key: %.500s", len(e.Message), text)
				}
			})
		}
	}
}

func TestUnreachable(t *testing.T) {
	for _, protocol := range protocols {
		w := &world{newRunner(t), nil, taskAt(protocol, "http://127.0.0.1:1/v1")}
		w.retries = 0
		_, _, err := w.ask(t.Context(), says("hi"), nil)
		if !errors.Is(err, api.ModelUnavailable) || !strings.Contains(err.Error(), "127.0.0.1:1 could not be asked") {
			t.Errorf("%s: %v", protocol, err)
		}
	}
}

// TestRetries: a question is sent again when the provider asks for patience, with
// the same key of idempotency, and no more often than that.
func TestRetries(t *testing.T) {
	busy := modeltest.Turn{Status: 429, Error: "slow down", RetryAfter: time.Millisecond}
	for _, protocol := range protocols {
		w := newWorld(t, protocol, modeltest.Script{Turns: []modeltest.Turn{busy, {Status: 503, RetryAfter: time.Millisecond}, {Text: "now"}, busy, busy, busy, busy, busy, busy}})
		answer, _, err := w.ask(t.Context(), says("hi"), nil)
		if err != nil || answer.Text != "now" {
			t.Errorf("%s: %+v, %v", protocol, answer, err)
		}
		_, _, err = w.ask(t.Context(), says("hi"), nil)
		if !errors.Is(err, api.ModelUnavailable) || !strings.Contains(err.Error(), "slow down") {
			t.Errorf("%s: %v", protocol, err)
		}
		asked := w.server.Questions()
		if len(asked) != 3+1+maxRetries {
			t.Errorf("%s was asked %d times", protocol, len(asked))
		}
		for _, q := range asked {
			if q.Header.Get("Idempotency-Key") != "once" {
				t.Errorf("%s: idempotency key %q", protocol, q.Header.Get("Idempotency-Key"))
			}
		}
	}
}

// TestRedirects: neither the question nor the key goes to where a provider
// redirects, be it the same host.
func TestRedirects(t *testing.T) {
	for _, protocol := range protocols {
		for _, status := range []int{301, 302, 307, 308} {
			thief := modeltest.New(modeltest.Script{Turns: []modeltest.Turn{{Text: "mine", Always: true}}})
			away := serve(t, thief)
			mux := http.NewServeMux()
			mux.Handle("/there/", thief)
			mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, away+r.URL.Path, status) })
			mux.HandleFunc("/same/", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/there/", status) })
			provider := serve(t, mux)
			for _, base := range []string{"/v1", "/same"} {
				w := &world{newRunner(t), nil, taskAt(protocol, provider+base)}
				_, _, err := w.ask(t.Context(), says("hi"), nil)
				if !errors.Is(err, api.ModelRefused) || !strings.Contains(err.Error(), "redirects to") {
					t.Errorf("%s %d %s: %v", protocol, status, base, err)
				}
			}
			if len(thief.Questions()) > 0 {
				t.Errorf("%s %d: the question went on", protocol, status)
			}
		}
	}
}

// flood sends pieces until nobody reads.
func flood(piece string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(piece)); err != nil {
				return
			}
		}
	}
}

func TestEndless(t *testing.T) {
	if testing.Short() {
		t.Skip("sends a limit's worth of bytes in twelve ways: run without -short")
	}
	big := strings.Repeat("a", 64<<10)
	start := "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\",\"input\":{}}}\n\n"
	for name, pieces := range map[string]map[string]string{
		"text": {
			api.ProtocolOpenAI:    `data: {"choices":[{"index":0,"delta":{"content":"` + big + "\"}}]}\n\n",
			api.ProtocolAnthropic: "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"" + big + "\"}}\n\n",
		},
		"arguments": {
			api.ProtocolOpenAI:    `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"` + big + "\"}}]}}]}\n\n",
			api.ProtocolAnthropic: start + "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"" + big + "\"}}\n\n",
		},
		"calls": {
			api.ProtocolOpenAI:    `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{}},{"index":0,"id":"b","function":{}}]}}]}` + "\n\n",
			api.ProtocolAnthropic: start,
		},
		"one line":  {api.ProtocolOpenAI: "data" + big, api.ProtocolAnthropic: "data" + big},
		"one event": {api.ProtocolOpenAI: "data: " + big + "\n", api.ProtocolAnthropic: "data: " + big + "\r\n"},
		"comments":  {api.ProtocolOpenAI: ":" + big + "\n\n", api.ProtocolAnthropic: ":" + big + "\r\n\r\n"},
	} {
		for _, protocol := range protocols {
			t.Run(name+" by "+protocol, func(t *testing.T) {
				w := &world{newRunner(t), nil, taskAt(protocol, serve(t, flood(pieces[protocol])))}
				_, _, err := w.ask(t.Context(), says("hi"), nil)
				if !errors.Is(err, api.OutputTooLarge) && !(name == "calls" && errors.Is(err, api.ModelUnavailable)) {
					t.Errorf("%v", err)
				}
			})
		}
	}
}

// TestSlow: a provider that sends nothing, or a little for ever, is left after the
// time of the task.
func TestSlow(t *testing.T) {
	for _, protocol := range protocols {
		for _, turn := range []modeltest.Turn{{Delay: time.Hour}, {Text: strings.Repeat("and ", 10_000), Pause: 10 * time.Millisecond}} {
			w := newWorld(t, protocol, modeltest.Script{Turns: []modeltest.Turn{turn}})
			w.task.Timeout = 100 * time.Millisecond
			if _, _, err := w.ask(t.Context(), says("hi"), nil); !errors.Is(err, api.Timeout) {
				t.Errorf("%s: %v", protocol, err)
			}
		}
	}
}

func TestCancel(t *testing.T) {
	for _, protocol := range protocols {
		w := newWorld(t, protocol, modeltest.Script{Turns: []modeltest.Turn{{Text: strings.Repeat("and ", 10_000), Pause: time.Millisecond}}})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w.task.Timeout = time.Minute
		read := make(chan struct{})
		text, _ := json.Marshal(map[string]any{"request": says("hi")})
		inputs, err := value.Decode("input", w.task.Signature.Inputs, text)
		if err != nil {
			t.Fatal(err)
		}
		go func() { <-read; cancel() }()
		result, err := w.Run(ctx, "run", &api.Request{Task: w.task, Inputs: inputs, Stdout: first{read, new(sync.Once)}})
		if !errors.Is(err, api.Canceled) || !strings.HasPrefix(string(result.Stdout), "and ") {
			t.Errorf("%s: %v after %q", protocol, err, result.Stdout)
		}
	}
}

// first closes a channel when something was written.
type first struct {
	written chan struct{}
	once    *sync.Once
}

func (f first) Write(p []byte) (int, error) {
	f.once.Do(func() { close(f.written) })
	return len(p), nil
}

// TestKeyInAnswer: a provider that writes the key into its answer does not get it
// into the journal.
func TestKeyInAnswer(t *testing.T) {
	for _, protocol := range protocols {
		w := newWorld(t, protocol, modeltest.Script{Turns: []modeltest.Turn{{
			Text: "It is " + secretKey[:8] + secretKey[8:] + " .", Calls: []modeltest.Call{{ID: secretKey, Name: secretKey, Arguments: `{"x": "` + secretKey + `"}`}},
		}}})
		var stdout bytes.Buffer
		answer, result, err := w.ask(t.Context(), says("Which key?"), &stdout)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{fmt.Sprintf("%+v", answer), stdout.String(), string(result.Stdout)} {
			if strings.Contains(text, secretKey) || !strings.Contains(text, "[redacted]") {
				t.Errorf("%s: %s", protocol, text)
			}
		}
	}
}

// TestEnvironment: variables that the SDKs know have no effect.
func TestEnvironment(t *testing.T) {
	thief := modeltest.New(modeltest.Script{Turns: []modeltest.Turn{{Text: "mine", Always: true}}})
	away := serve(t, thief)
	for _, prefix := range []string{"OPENAI_", "ANTHROPIC_"} {
		t.Setenv(prefix+"BASE_URL", away)
		t.Setenv(prefix+"CUSTOM_HEADERS", "X-Stolen: yes")
		for _, name := range []string{"API_KEY", "ADMIN_KEY", "AUTH_TOKEN", "ORG_ID", "PROJECT_ID", "PROFILE"} {
			t.Setenv(prefix+name, "of-the-environment")
		}
	}
	for _, protocol := range protocols {
		w := newWorld(t, protocol, modeltest.Script{Turns: []modeltest.Turn{{Text: "yours"}}})
		w.task.Model.Key = ""
		answer, _, err := w.ask(t.Context(), says("hi"), nil)
		if err != nil || answer.Text != "yours" {
			t.Fatalf("%s: %+v, %v", protocol, answer, err)
		}
		header := fmt.Sprint(w.server.Questions()[0].Header)
		if strings.Contains(header, "of-the-environment") || strings.Contains(header, "Stolen") || strings.Contains(header, "Authorization") || strings.Contains(header, "Api-Key") {
			t.Errorf("%s: %s", protocol, header)
		}
	}
	if len(thief.Questions()) > 0 {
		t.Error("the environment was asked")
	}
}

func TestCosts(t *testing.T) {
	w := newWorld(t, api.ProtocolOpenAI, modeltest.Script{Turns: []modeltest.Turn{{Text: "x", Usage: &modeltest.Usage{Input: 1000, Cached: 400, Output: 100}}}})
	w.task.Model.Price = api.ModelPrice{Input: 2, CachedInput: 0.5, Output: 8}
	_, result, err := w.ask(t.Context(), says("hi"), nil)
	if want := (600*2 + 400*0.5 + 100*8) / 1e6; err != nil || result.Usage.Models.Cost != want {
		t.Errorf("%+v, %v, want %v", result.Usage, err, want)
	}
}

func TestUsage(t *testing.T) {
	hostile := api.ModelUsage{Input: -5, CachedInput: 1 << 62, Output: 1 << 62}
	if got := sane(hostile); got != (api.ModelUsage{Output: maxUsage}) {
		t.Errorf("%+v", got)
	}
}

func TestMissingSecret(t *testing.T) {
	w := newWorld(t, api.ProtocolOpenAI, modeltest.Script{})
	w.task.Model.Key = "other"
	if _, _, err := w.ask(t.Context(), says("hi"), nil); !errors.Is(err, api.SecretNotFound) {
		t.Error(err)
	}
	for _, stored := range []string{"", "two words", "two\nlines", "naïve"} {
		w.config.Secret = func(string) ([]byte, error) { return []byte(stored), nil }
		_, _, err := w.ask(t.Context(), says("hi"), nil)
		if !errors.Is(err, api.SecretUnreadable) || stored != "" && strings.Contains(err.Error(), stored) {
			t.Errorf("%q: %v", stored, err)
		}
	}
	if len(w.server.Questions()) > 0 {
		t.Error("it was asked without a key")
	}
}
