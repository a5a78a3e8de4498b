package gateway

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/model"
	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
)

// TestCountingTokens: a program may have its tokens counted, by the provider and with
// the key, within the grant. That is no question: it takes nothing of the budget.
func TestCountingTokens(t *testing.T) {
	const key = "sk-count-canary"
	provider := httptest.NewServer(modeltest.New(modeltest.Script{Key: key, Turns: []modeltest.Turn{{Text: "hello"}}}))
	defer provider.Close()
	models := model.New(model.Config{Secret: func(string) ([]byte, error) { return []byte(key), nil }})
	defer models.Close()
	asks := api.Asks{Model: api.Model{Key: "stored", BaseURL: provider.URL}, Budget: api.Budget{Calls: 1}}
	s := serving(t, asks, OfSession(models))
	for range 3 {
		if status, said := send(t, "POST", s.URL+"/v1/messages/count_tokens", plain); status != 200 || strings.TrimSpace(said) != `{"input_tokens":9}` {
			t.Errorf("%d %q", status, said)
		}
	}
	for body, words := range map[string]string{
		strings.Replace(plain, "opus", "dear", 1):                                                                                         "cannot ask the model",
		plain[:len(plain)-1] + `, "tools": [{"type": "web_search_20250305", "name": "w"}]}`:                                               "run tools",
		`{"model": "opus", "messages": [{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "http://x"}}]}]}`: "fetch",
	} {
		if status, said := send(t, "POST", s.URL+"/v1/messages/count_tokens", body); status != 403 || !strings.Contains(said, words) {
			t.Errorf("%s: %d %q", body, status, said)
		}
	}
	if status, said := send(t, "POST", s.URL+"/v1/messages", plain); status != 200 || !strings.Contains(said, "hello") {
		t.Errorf("%d %q", status, said)
	}
	if status, said := send(t, "POST", s.URL+"/v1/messages/count_tokens", plain); status != 403 || !strings.Contains(said, "budget of 1") {
		t.Errorf("%d %q", status, said)
	}
}
