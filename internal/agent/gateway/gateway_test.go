package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/model"
	"github.com/glovebox-dev/glovebox/internal/budget"
)

// answering is an Ask that streams two pieces, of which the second waits for more.
func answering(more <-chan struct{}, asked *atomic.Int32) Ask {
	return func(_ context.Context, _ api.Model, _ api.ModelRaw, x *model.Exchange) (api.ModelAnswer, error) {
		asked.Add(1)
		w := x.Begin(http.StatusOK, "", "text/event-stream")
		_, _ = io.WriteString(w, "one\n")
		<-more
		_, _ = io.WriteString(w, "two\n")
		return api.ModelAnswer{Usage: api.ModelUsage{Input: 6, Output: 4, Cost: 0.5, Asked: 1}}, nil
	}
}

func now() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

func serving(t *testing.T, asks api.Asks, ask Ask) *httptest.Server {
	t.Helper()
	asks.Model.Name = "opus"
	if asks.Model.Protocol == "" {
		asks.Model.Protocol = api.ProtocolAnthropic
	}
	g := New(Config{Asks: &asks, Ask: ask, Recorded: true, Memory: budget.New(1 << 30)})
	s := httptest.NewServer(g)
	t.Cleanup(func() { s.Close(); g.End() })
	return s
}

// send sends a question, and returns the status and the message of a failure, or the
// whole answer.
func send(t *testing.T, method, url, body string) (status int, said string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	var failure struct {
		Error struct{ Message string }
	}
	if res.StatusCode != http.StatusOK && json.Unmarshal(text, &failure) == nil {
		return res.StatusCode, failure.Error.Message
	}
	return res.StatusCode, string(text)
}

const plain = `{"model": "opus", "max_tokens": 5, "messages": [{"role": "user", "content": "hi"}]}`

// TestAnswerComesAsItIsWritten: the first piece is there before the second exists.
func TestAnswerComesAsItIsWritten(t *testing.T) {
	more, asked := make(chan struct{}), &atomic.Int32{}
	s := serving(t, api.Asks{}, answering(more, asked))
	res, err := http.Post(s.URL+"/v1/messages?beta=true", "application/json", strings.NewReader(plain))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewReader(res.Body)
	if line, err := lines.ReadString('\n'); line != "one\n" || err != nil || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%q, %v", line, err)
	}
	close(more)
	if rest, err := io.ReadAll(lines); string(rest) != "two\n" || err != nil {
		t.Errorf("%q, %v", rest, err)
	}
}

// probe is a request that goes further than the grant, and what it gets.
type probe struct {
	method, path, body string
	status             int
	words              string // of the answer
}

func refuses(t *testing.T, url string, requests []probe) {
	t.Helper()
	for _, c := range requests {
		status, said := send(t, c.method, url+c.path, c.body)
		if status != c.status || !strings.Contains(said, c.words) {
			t.Errorf("%s %s %.120s: %d %q, want %d %q", c.method, c.path, c.body, status, said, c.status, c.words)
		}
	}
}

// TestOnlyTheGrant: a program gets no further than to its model (attack Q10): what is
// refused is not asked.
func TestOnlyTheGrant(t *testing.T) {
	asked := &atomic.Int32{}
	s := serving(t, api.Asks{}, answering(now(), asked))
	with := func(field string) string { return strings.Replace(plain, "{", "{"+field+",", 1) }
	content := func(block string) string { return strings.Replace(plain, `"hi"`, "["+block+"]", 1) }
	refuses(t, s.URL, []probe{
		{"GET", "/v1/messages", "", 404, "nothing else"},
		{"POST", "/v1/files", "{}", 404, "nothing else"},
		{"POST", "/v1/messages/../files", "{}", 404, "nothing else"},
		{"POST", "/v1/messages/batches", plain, 404, "nothing else"},
		{"POST", "/v1/messages", "[]", 400, "something else"},
		{"POST", "/v1/messages", plain + "x", 400, "no JSON object"},
		{"POST", "/v1/messages", with(`"model": "opus-x"`), 400, `"model" comes twice`},
		{"POST", "/v1/messages", strings.Repeat(`{"messages":[`, 300), 400, "deeper"},
		{"POST", "/v1/messages", strings.Replace(plain, "opus", "dear", 1), 403, "it may ask opus"},
		{"POST", "/v1/messages", with(`"service_tier": "priority"`), 403, "service_tier"},
		{"POST", "/v1/messages", with(`"mcp_servers": [{"type": "url", "url": "https://evil.example"}]`), 403, "mcp_servers"},
		{"POST", "/v1/messages", with(`"container": "c"`), 403, "container"},
		{"POST", "/v1/messages", with(`"tools": [{"type": "web_fetch_20250910", "name": "web_fetch"}]`), 403, "run tools"},
		{"POST", "/v1/messages", with(`"tools": [{"type": 1}]`), 403, "run tools"},
		{"POST", "/v1/messages", content(`{"type": "image", "source": {"type": "url", "url": "https://evil.example/?q=secret"}}`), 403, "fetch"},
		{"POST", "/v1/messages", content(`{"type": "tool_result", "content": [{"type": "document", "source": {"type": "file", "file_id": "f"}}]}`), 403, "fetch"},
		{"POST", "/v1/messages", content(`{"type": "document", "source": {"type": "content", "content": [{"type": "image", "source": {"type": "url"}}]}}`), 403, "fetch"},
		{"POST", "/v1/messages", content(`{"type": "container_upload", "file_id": "f"}`), 403, "stores"},
		{"POST", "/v1/messages", `{"model": "` + strings.Repeat("x", maxBody) + `"}`, 413, "bytes"},
	})
	if asked.Load() != 0 {
		t.Errorf("%d questions were asked", asked.Load())
	}
	for _, body := range []string{
		plain, with(`"tools": [{"name": "Bash", "input_schema": {}}, {"type": "bash_20250124", "name": "bash"}], "metadata": {"user_id": "u"}`),
		content(`{"type": "image", "source": {"type": "base64", "data": "eA=="}}, {"type": "search_result", "source": "https://x"}`),
	} {
		if status, said := send(t, "POST", s.URL+"/v1/messages", body); status != 200 || said != "one\ntwo\n" {
			t.Errorf("%s: %d %q", body, status, said)
		}
	}
}

func TestBudgetOfACell(t *testing.T) {
	for words, b := range map[string]api.Budget{
		"budget of 2 questions": {Calls: 2}, "budget of 15 tokens is spent: there were 20": {Tokens: 15}, "budget of 0.75 US dollars is spent: it cost 1": {Cost: 0.75},
	} {
		asked := &atomic.Int32{}
		s := serving(t, api.Asks{Budget: b}, answering(now(), asked))
		for range 2 {
			if status, said := send(t, "POST", s.URL+"/v1/messages", plain); status != 200 {
				t.Errorf("%s: %d %s", words, status, said)
			}
		}
		if status, said := send(t, "POST", s.URL+"/v1/messages", plain); status != 403 || !strings.Contains(said, words) || asked.Load() != 2 {
			t.Errorf("%s: %d %s after %d", words, status, said, asked.Load())
		}
	}
}

// TestFailures: what the provider says about patience reaches the program; a failure
// in the middle breaks the answer off.
func TestFailures(t *testing.T) {
	ask := func(_ context.Context, _ api.Model, q api.ModelRaw, x *model.Exchange) (api.ModelAnswer, error) {
		switch {
		case strings.Contains(q.Body, "slow down"):
			x.Begin(429, "7", "application/json")
			return api.ModelAnswer{}, api.Errorf(api.ModelUnavailable, "slow down")
		case strings.Contains(q.Body, "break"):
			_, _ = io.WriteString(x.Begin(200, "", "application/json"), "half")
		case strings.Contains(q.Body, "secret"):
			return api.ModelAnswer{}, api.Errorf(api.SecretNotFound, "there is none")
		}
		return api.ModelAnswer{}, api.Errorf(api.ModelUnavailable, "away")
	}
	s := serving(t, api.Asks{}, ask)
	for word, want := range map[string]string{"slow down": "429 slow down", "secret": "400 there is none", "other": "529 away"} {
		status, said := send(t, "POST", s.URL+"/v1/messages", strings.Replace(plain, "hi", word, 1))
		if got := fmt.Sprint(status, " ", said); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	res, err := http.Post(s.URL+"/v1/messages", "", strings.NewReader(strings.Replace(plain, "hi", "break", 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); string(text) != "half" || err == nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestProgramThatGoesIsCounted: to leave before the answer ends spends its budget.
func TestProgramThatGoesIsCounted(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	asks := api.Asks{Model: api.Model{Protocol: api.ProtocolAnthropic, Name: "opus"}, Budget: api.Budget{Calls: 1}}
	g := New(Config{Asks: &asks, Recorded: true, Ask: func(life context.Context, _ api.Model, _ api.ModelRaw, _ *model.Exchange) (api.ModelAnswer, error) {
		leave()
		return api.ModelAnswer{Usage: api.ModelUsage{Asked: 1}}, life.Err()
	}})
	ask := func(ctx context.Context) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "POST", "/v1/messages", strings.NewReader(plain)))
		return w
	}
	ask(ctx)
	g.asking.Wait()
	if w := ask(t.Context()); w.Code != http.StatusForbidden {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestBetas(t *testing.T) {
	got := messagesBetas(http.Header{"Anthropic-Beta": {"claude-code-20250219, context-1m-2025-08-07,fast-mode-2026-02-01", "effort-2025-11-24,A B,"}})
	if fmt.Sprint(got) != "[claude-code-20250219 effort-2025-11-24]" {
		t.Error(got)
	}
}
