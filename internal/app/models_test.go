package app

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
	"github.com/glovebox-dev/glovebox/value"
)

const providerKey = "sk-canary-5513-canary-xx"

// asks is an orchestrator that asks a model twice.
func asks(url string) *api.Task {
	model := api.Task{Name: "ask", Kind: api.KindModel, Signature: api.ModelSignature(),
		Model: &api.Model{Protocol: api.ProtocolOpenAI, Name: "large", BaseURL: url, Key: "provider", Price: api.ModelPrice{Input: 1, Output: 10}}}
	return &api.Task{Name: "main", Kind: api.KindOrchestrator, Orchestrator: &api.Orchestrator{Tools: []api.Task{model}},
		Signature: api.Signature{Outputs: []value.Param{{Name: "result", Type: value.MustType("list[str]")}}},
		Code:      "[ask({'messages': [{'role': 'user', 'text': t}]})['text'] for t in ['one', 'two']]"}
}

// TestModels: questions are calls of a run, which has the sum of what they took; a
// rerun asks nothing again; the key is nowhere in the home, though the provider
// says it in answers and in errors.
func TestModels(t *testing.T) {
	usage := &modeltest.Usage{Input: 1000, Output: 100}
	provider := modeltest.New(modeltest.Script{Key: providerKey, Turns: []modeltest.Turn{
		{Match: "one", Text: "first, by " + providerKey, Usage: usage}, {Match: "two", Text: "second", Usage: usage},
		{Status: 400, Error: "no more by " + providerKey, Always: true},
	}})
	server := httptest.NewServer(provider)
	defer server.Close()
	home := t.TempDir()
	a := openApp(t, home)
	s := a.Service()
	if err := s.SetSecret(t.Context(), "provider", []byte(providerKey)); err != nil {
		t.Fatal(err)
	}
	id := submit(t, a, api.Submission{Task: asks(server.URL + "/v1")})
	result, err := s.Wait(t.Context(), id)
	want := api.ModelUsage{Input: 2000, Output: 200, Cost: 0.004}
	if err != nil || fmt.Sprint(result.Outputs[0].Value) != "[first, by [redacted] second]" || result.Usage.Models != want {
		t.Fatalf("%+v, %v", result, err)
	}
	again, err := s.Rerun(t.Context(), id, api.RerunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	result, err = s.Wait(t.Context(), again.ID)
	if err != nil || len(provider.Questions()) != 2 || result.Usage.Models != (api.ModelUsage{}) {
		t.Errorf("%+v, %v, after %d questions", result, err, len(provider.Questions()))
	}
	refused := submit(t, a, api.Submission{Task: asks(server.URL + "/v1")})
	if _, err = s.Wait(t.Context(), refused); err == nil {
		t.Error("it answered what the script has not")
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	searchHome(t, home)
}

// searchHome looks for the key in every file.
func searchHome(t *testing.T, home string) {
	t.Helper()
	found := 0
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(providerKey)) {
			t.Errorf("the key is in %s", path)
		}
		if bytes.Contains(text, []byte("[redacted]")) {
			found++
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%v; %d files have what the provider said", err, found)
	}
}
