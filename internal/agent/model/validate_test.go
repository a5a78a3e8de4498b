package model

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
	"github.com/glovebox-dev/glovebox/value"
)

func TestValidate(t *testing.T) {
	r := newRunner(t)
	if err := r.Validate(taskAt(api.ProtocolOpenAI, "")); err != nil {
		t.Error(err)
	}
	for field, change := range map[string]func(*api.Task){
		"model":                    func(t *api.Task) { t.Model = nil },
		"model.protocol":           func(t *api.Task) { t.Model.Protocol = "gopher" },
		"model.name":               func(t *api.Task) { t.Model.Name = "" },
		"model.key":                func(t *api.Task) { t.Model.Key = "sk-/a+b" },
		"model.price.input":        func(t *api.Task) { t.Model.Price.Input = -1 },
		"model.price.cached_input": func(t *api.Task) { t.Model.Price.CachedInput = math.NaN() },
		"model.price.output":       func(t *api.Task) { t.Model.Price.Output = math.Inf(1) },
		"signature":                func(t *api.Task) { t.Signature.Outputs[0].Type = value.MustType("str") },
		"code":                     func(t *api.Task) { t.Code = "1" },
		"agent":                    func(t *api.Task) { t.Agent = &api.Agent{} },
		"orchestrator":             func(t *api.Task) { t.Orchestrator = &api.Orchestrator{} },
		"secrets":                  func(t *api.Task) { t.Secrets = []api.SecretRef{{Name: "x"}} },
		"network":                  func(t *api.Task) { t.Network.Public = true },
		"timeout":                  func(t *api.Task) { t.Timeout = -1 },
		"limits":                   func(t *api.Task) { t.Limits.Logs = -1 },
	} {
		task := taskAt(api.ProtocolOpenAI, "")
		change(task)
		err := r.Validate(task)
		if !errors.Is(err, api.InvalidTask) || api.AsError(err).Details.Field != field {
			t.Errorf("%s: %v", field, err)
		}
		if strings.Contains(err.Error(), "sk-") {
			t.Errorf("%s: a key that was written in place of its name is shown: %v", field, err)
		}
	}
}

func TestURLs(t *testing.T) {
	for url, ok := range map[string]bool{
		"http://localhost:11434/v1": true, "https://host": true, "https://host/a/b/": true, "http://[::1]:80": true,
		"ftp://host": false, "host": false, "https://": false, "https://u:sesame@host": false, "https://u@host": false, "https://host?key=sesame": false,
		"https://host#x": false, "https://ho st": false, "file:///etc/passwd": false, "https://" + strings.Repeat("a", 3000): false,
	} {
		err := newRunner(t).Validate(taskAt(api.ProtocolAnthropic, url))
		if ok != (err == nil) {
			t.Errorf("%s: %v", url, err)
		}
		if err != nil && strings.Contains(url, "@") && strings.Contains(err.Error(), "sesame") {
			t.Errorf("the password is shown: %v", err)
		}
	}
}

func TestBadRequests(t *testing.T) {
	user := map[string]any{"role": "user", "text": "hi"}
	for field, request := range map[string]map[string]any{
		"request":                     {"messages": []any{user}, "other": 1},
		"request.messages":            {},
		"request.messages[0].role":    {"messages": []any{map[string]any{"role": "system"}}},
		"request.messages[1].call":    {"messages": []any{user, map[string]any{"role": "tool", "text": "x"}}},
		"request.messages[0].calls":   {"messages": []any{map[string]any{"role": "user", "calls": []any{map[string]any{"id": "1"}}}}},
		"request.schema":              {"messages": []any{user}, "schema": "x"},
		"request.tools[0].name":       {"messages": []any{user}, "tools": []any{map[string]any{"parameters": map[string]any{}}}},
		"request.tools[0].parameters": {"messages": []any{user}, "tools": []any{map[string]any{"name": "f"}}},
		"request.max_tokens":          {"messages": []any{user}, "max_tokens": -1},
	} {
		w := newWorld(t, api.ProtocolOpenAI, modeltest.Script{})
		_, _, err := w.ask(t.Context(), request, nil)
		if !errors.Is(err, api.InvalidInput) || api.AsError(err).Details.Field != field {
			t.Errorf("%s: %v", field, err)
		}
		if len(w.server.Questions()) > 0 {
			t.Errorf("%s: it was asked", field)
		}
	}
}
