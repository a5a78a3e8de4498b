package gateway

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

const plainResponse = `{"model": "opus", "store": false, "input": "hi"}`

// TestOnlyTheGrantOfResponses: what a program asks by responses leads to one model and
// to nothing else, also where the provider would do it.
func TestOnlyTheGrantOfResponses(t *testing.T) {
	asked := &atomic.Int32{}
	s := serving(t, api.Asks{Model: api.Model{Protocol: api.ProtocolOpenAI}}, answering(now(), asked))
	with := func(more string) string { return plainResponse[:len(plainResponse)-1] + ", " + more + "}" }
	input := func(items string) string { return `{"model": "opus", "store": false, "input": [` + items + `]}` }
	part := func(part string) string {
		return input(`{"role": "user", "content": [{"type": "input_text", "text": "a"}, ` + part + `]}`)
	}
	refuses(t, s.URL, []probe{
		{"GET", "/v1/models", "", 404, "POST /v1/responses, and nothing else"},
		{"GET", "/v1/responses/resp_1", "", 404, "nothing else"},
		{"POST", "/v1/responses/compact", plainResponse, 404, "nothing else"},
		{"POST", "/v1/messages", plain, 404, "nothing else"},
		{"POST", "/v1/chat/completions", plain, 404, "nothing else"},
		{"POST", "/v1/responses", `{"model": "o", "store": false, "input": "hi"}`, 403, "cannot ask the model"},
		{"POST", "/v1/responses", `{"model": "opus", "input": "hi"}`, 403, "store has to be false"},
		{"POST", "/v1/responses", `{"model": "opus", "store": true, "input": "hi"}`, 403, "store has to be false"},
		{"POST", "/v1/responses", with(`"previous_response_id": "resp_1"`), 403, "previous_response_id"},
		{"POST", "/v1/responses", with(`"conversation": "conv_1"`), 403, "conversation"},
		{"POST", "/v1/responses", with(`"background": true`), 403, "background"},
		{"POST", "/v1/responses", with(`"prompt": {"id": "pmpt_1"}`), 403, "prompt"},
		{"POST", "/v1/responses", with(`"service_tier": "priority"`), 403, "service_tier"},
		{"POST", "/v1/responses", with(`"instructions": [{"type": "item_reference", "id": "i"}]`), 403, "instructions"},
		{"POST", "/v1/responses", with(`"tools": [{"type": "web_search"}]`), 403, "run tools"},
		{"POST", "/v1/responses", with(`"tools": [{"type": "mcp", "server_url": "https://x"}]`), 403, "run tools"},
		{"POST", "/v1/responses", with(`"tools": [{"type": "code_interpreter", "container": {"type": "auto"}}]`), 403, "run tools"},
		{"POST", "/v1/responses", with(`"tools": [{"type": "shell", "environment": {"type": "container_auto"}}]`), 403, "run tools"},
		{"POST", "/v1/responses", with(`"tools": [{"name": "no kind"}]`), 403, "run tools"},
		{"POST", "/v1/responses", with(`"tools": [{"type": "namespace", "name": "n", "tools": [{"type": "namespace", "tools": [{"type": "image_generation"}]}]}]`), 403, "image_generation"},
		{"POST", "/v1/responses", input(`{"type": "additional_tools", "role": "developer", "tools": [{"type": "web_search"}]}`), 403, "run tools"},
		{"POST", "/v1/responses", input(`{"type": "tool_search_output", "call_id": "c", "tools": [{"type": "mcp"}]}`), 403, "run tools"},
		{"POST", "/v1/responses", input(`{"type": "item_reference", "id": "msg_1"}`), 403, "item_reference"},
		{"POST", "/v1/responses", input(`{"id": "msg_1"}`), 403, "into a conversation"},
		{"POST", "/v1/responses", input(`"text"`), 403, "into a conversation"},
		{"POST", "/v1/responses", input(`{"type": "configuration_update", "model": "dear"}`), 403, "cannot change"},
		{"POST", "/v1/responses", part(`{"type": "input_image", "image_url": "https://x/y.png"}`), 403, "fetch"},
		{"POST", "/v1/responses", part(`{"type": "input_image", "image_url": {"url": "https://x/y.png"}}`), 403, "fetch"},
		{"POST", "/v1/responses", part(`{"type": "input_image", "file_id": "file_1"}`), 403, "file_id"},
		{"POST", "/v1/responses", part(`{"type": "input_file", "file_url": "https://x/y.pdf"}`), 403, "file_url"},
		{"POST", "/v1/responses", input(`{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_file", "file_id": "file_1"}]}`), 403, "file_id"},
		{"POST", "/v1/responses", input(`{"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot", "file_id": "file_1"}}`), 403, "file_id"},
		{"POST", "/v1/responses", `{"model": "opus", "store": false, "store": true, "input": "hi"}`, 400, "comes twice"},
		{"POST", "/v1/responses", strings.Repeat("[", 300) + strings.Repeat("]", 300), 400, "nested deeper"},
	})
	if asked.Load() != 0 {
		t.Errorf("%d questions were asked", asked.Load())
	}
	for _, body := range []string{
		plainResponse,
		with(`"tools": [{"type": "function", "name": "f", "parameters": {"properties": {"file_id": {"type": "string"}}}}, {"type": "custom", "name": "apply_patch"}], "client_metadata": {"a": "b"}`),
		part(`{"type": "input_image", "image_url": "data:image/png;base64,eA==", "file_id": null}`),
		input(`{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}, {"type": "tool_search_call", "arguments": {"file_id": 1}}, {"type": "configuration_update", "reasoning": {"effort": "low"}}`),
	} {
		if status, said := send(t, "POST", s.URL+"/v1/responses", body); status != 200 || said != "one\ntwo\n" {
			t.Errorf("%s: %d %q", body, status, said)
		}
	}
}

// TestBudgetOfResponses: the budget counts in both protocols, and a host that has too
// much to do says so as each provider does.
func TestBudgetOfResponses(t *testing.T) {
	asked := &atomic.Int32{}
	asks := api.Asks{Model: api.Model{Protocol: api.ProtocolOpenAI}, Budget: api.Budget{Calls: 1}}
	s := serving(t, asks, answering(now(), asked))
	if status, said := send(t, "POST", s.URL+"/v1/responses", plainResponse); status != 200 {
		t.Error(status, said)
	}
	if status, said := send(t, "POST", s.URL+"/v1/responses", plainResponse); status != 403 || !strings.Contains(said, "budget of 1 questions") || asked.Load() != 1 {
		t.Error(status, said, asked.Load())
	}
	for name, want := range map[string]int{api.ProtocolAnthropic: 529, api.ProtocolOpenAI: 503} {
		w := httptest.NewRecorder()
		protocols[name].fail(w, api.Errorf(api.Overloaded, "too much"))
		if w.Code != want || !strings.Contains(w.Body.String(), "too much") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestBetasOfResponses(t *testing.T) {
	lite := responsesBetas(http.Header{"X-Openai-Internal-Codex-Responses-Lite": {"true"}, "Openai-Beta": {"other"}})
	if len(lite) != 1 || lite[0] != "responses-lite" || responsesBetas(http.Header{"X-Openai-Internal-Codex-Responses-Lite": {"other"}}) != nil {
		t.Error(lite)
	}
}

// TestEqualResponses: two processes of Codex that do the same ask the same.
func TestEqualResponses(t *testing.T) {
	message := func(role, text string) string {
		return `{"model":"m","store":false,"input":[{"type":"message","role":"` + role + `","content":[{"type":"input_text","text":"` + text + `"}]}]}`
	}
	output := func(text string) string {
		return `{"model":"m","store":false,"input":[{"type":"function_call_output","call_id":"c","output":"` + text + `"}]}`
	}
	for _, c := range []struct {
		name, one, other string
		equal            bool
	}{
		{"who asks", `{"model":"m","store":false,"input":"a","client_metadata":{"a":"b"},"prompt_cache_key":"1","metadata":{}}`, `{"model":"m","store":false,"input":"a"}`, true},
		{"ids of items and what is noted beside", `{"model":"m","store":false,"input":[{"id":"msg_1","role":"user","content":"a","internal_chat_message_metadata_passthrough":{"create_time":1}}]}`,
			`{"model":"m","store":false,"input":[{"id":"msg_2","role":"user","content":"a"}]}`, true},
		{"the day in the instructions", `{"model":"m","store":false,"input":"a","instructions":"It is 2026-11-28."}`, `{"model":"m","store":false,"input":"a","instructions":"It is 2026-11-29."}`, true},
		{"the day of the developer", message("developer", "It is 2026-11-28."), message("developer", "It is 2026-11-29."), true},
		{"the day of the environment", message("user", "<environment_context>2026-11-28</environment_context>"), message("user", "<environment_context>2026-11-29</environment_context>"), true},
		{"the day of a person", message("user", "It is 2026-11-28."), message("user", "It is 2026-11-29."), false},
		{"how long a command took", output(`Chunk ID: 195751\nWall time: 0.0012 seconds\nOutput:\na`), output(`Chunk ID: 0f5751\nWall time: 1.2 seconds\nOutput:\na`), true},
		{"how long a script took", output(`Script completed\nWall time 0.1 seconds\nOutput:\na`), output(`Script completed\nWall time 0.2 seconds\nOutput:\na`), true},
		{"how a script ended", output(`Script completed\nWall time 0.1 seconds\nOutput:\na`), output(`Script failed\nWall time 0.1 seconds\nOutput:\na`), false},
		{"what a command printed", output(`Chunk ID: 195751\nWall time: 0.0012 seconds\nOutput:\na`), output(`Chunk ID: 195751\nWall time: 0.0012 seconds\nOutput:\nb`), false},
		{"a time that a command printed", output(`Output:\nWall time: 1 seconds\n`), output(`Output:\nWall time: 2 seconds\n`), false},
	} {
		if one, other := bodyOf(t, c.one), bodyOf(t, c.other); (one == other) != c.equal {
			t.Errorf("%s: %s and %s", c.name, one, other)
		}
	}
}
