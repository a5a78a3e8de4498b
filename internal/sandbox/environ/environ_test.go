package environ

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestModelOfACell: a program that may ask a model finds it, and has a word in the place
// of the key (attack Q11).
func TestModelOfACell(t *testing.T) {
	for protocol, want := range map[string]Variables{
		api.ProtocolAnthropic: {"ANTHROPIC_BASE_URL": "http://127.0.0.1:3128", "ANTHROPIC_API_KEY": api.ModelKeyInCell, "OPENAI_API_KEY": "", "HTTP_PROXY": ""},
		api.ProtocolOpenAI:    {"OPENAI_BASE_URL": "http://127.0.0.1:3128/v1", "OPENAI_API_KEY": api.ModelKeyInCell, "ANTHROPIC_API_KEY": "", "HTTP_PROXY": ""},
		"":                    {"ANTHROPIC_BASE_URL": "", "ANTHROPIC_API_KEY": "", "OPENAI_BASE_URL": "", "OPENAI_API_KEY": ""},
	} {
		task := &api.Task{Code: "x"}
		if protocol != "" {
			task.Asks = &api.Asks{Model: api.Model{Protocol: protocol, Key: "stored"}}
		}
		e := OfTask(nil, task, false)
		for name, value := range want {
			if e[name] != value {
				t.Errorf("%q: %s is %q, want %q", protocol, name, e[name], value)
			}
		}
	}
}
