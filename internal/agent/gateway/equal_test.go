package gateway

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func bodyOf(t *testing.T, question string) string {
	t.Helper()
	protocol := protocols[api.ProtocolAnthropic]
	if strings.Contains(question, `"store"`) {
		protocol = protocols[api.ProtocolOpenAI]
	}
	q, err := protocol.readQuestion(&api.Model{}, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/messages", nil), []byte(question))
	if err != nil {
		t.Fatal(err)
	}
	return q.Body
}

// TestEqualQuestions: what differs from process to process does not count, and all else
// does.
func TestEqualQuestions(t *testing.T) {
	for _, c := range []struct {
		name, one, other string
		equal            bool
	}{
		{"who asks", `{"model":"m","metadata":{"user_id":"a"}}`, `{"metadata":{"user_id":"b"},"model":"m"}`, true},
		{"marks", `{"model":"m","system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b"}],"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"x","cache_control":{}}]}]}]}`,
			`{"model":"m","system":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"messages":[{"role":"user","content":[{"type":"tool_result","cache_control":{},"content":[{"type":"text","text":"x"}]}]}]}`, true},
		{"a block that is there for a mark", `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{}}]}]}`, `{"model":"m","messages":[{"role":"user","content":"a"}]}`, true},
		{"the day in the system", `{"model":"m","system":"Today is 2026-11-28."}`, `{"model":"m","system":"Today is 2026-11-29."}`, true},
		{"the day in a message of the system", `{"model":"m","messages":[{"role":"system","content":"Today is 2026-11-28T10:00:00Z."}]}`, `{"model":"m","messages":[{"role":"system","content":"Today is 2026-11-29T11:22:33+02:00."}]}`, true},
		{"the session in a reminder", `{"model":"m","messages":[{"role":"user","content":"<system-reminder>746b17f3-c333-4427-b313-cac38db3a632</system-reminder>do it"}]}`,
			`{"model":"m","messages":[{"role":"user","content":"<system-reminder>57a593f5-03a6-4325-b8b6-58ed84c3fa89</system-reminder>do it"}]}`, true},
		{"the day in what a tool gave", `{"model":"m","messages":[{"role":"user","content":[{"type":"tool_result","content":"2026-11-28"}]}]}`, `{"model":"m","messages":[{"role":"user","content":[{"type":"tool_result","content":"2026-11-29"}]}]}`, false},
		{"the day in what a person says", `{"model":"m","messages":[{"role":"user","content":"on 2026-11-28"}]}`, `{"model":"m","messages":[{"role":"user","content":"on 2026-11-29"}]}`, false},
		{"after a reminder", `{"model":"m","messages":[{"role":"user","content":"<system-reminder>a</system-reminder>2026-11-28"}]}`, `{"model":"m","messages":[{"role":"user","content":"<system-reminder>a</system-reminder>2026-11-29"}]}`, false},
		{"a mark that a model writes", `{"model":"m","messages":[{"role":"assistant","content":[{"type":"tool_use","input":{"cache_control":1}}]}]}`, `{"model":"m","messages":[{"role":"assistant","content":[{"type":"tool_use","input":{}}]}]}`, false},
		{"numbers", `{"model":"m","max_tokens":1}`, `{"model":"m","max_tokens":2}`, false},
		{"large numbers", `{"model":"m","top_k":9007199254740993}`, `{"model":"m","top_k":9007199254740992}`, false},
	} {
		if one, other := bodyOf(t, c.one), bodyOf(t, c.other); (one == other) != c.equal {
			t.Errorf("%s:\n%s\n%s", c.name, one, other)
		}
	}
}
