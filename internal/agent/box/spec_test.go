package box

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestKeysStayOutside: the host asks for every agent, unless a secret is given in the
// place of its key.
func TestKeysStayOutside(t *testing.T) {
	for name, protocol := range map[string]string{"claude": api.ProtocolAnthropic, "codex": api.ProtocolOpenAI} {
		agent, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Model: "m", BaseURL: "https://models.example.com"}
		o.Asks = agent.Asks(o, nil)
		spec, err := Job{Agent: agent, Options: o}.Spec()
		if err != nil {
			t.Fatal(err)
		}
		want := api.Model{Protocol: protocol, Name: "m", BaseURL: o.BaseURL, Key: agent.Keys[0]}
		if spec.Asks == nil || spec.Asks.Model != want || len(spec.Secrets) != 0 || !spec.Network.None() || spec.Env[agent.baseURL] != "" {
			t.Errorf("%s: %+v", name, spec)
		}
		own := []api.SecretRef{{Name: "own", Env: agent.Keys[0]}}
		o.Asks = agent.Asks(o, own)
		spec, err = Job{Agent: agent, Options: o, Session: api.SessionSpec{Secrets: own}}.Spec()
		if err != nil || spec.Asks != nil || len(spec.Secrets) != 1 || spec.Network.Allow[0] != "models.example.com" || spec.Env[agent.baseURL] != o.BaseURL {
			t.Errorf("%s: %+v, %v", name, spec, err)
		}
	}
}

// TestSettingsOfCodex: it finds the model where the cell says, and has no search.
func TestSettingsOfCodex(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("sh is not installed")
	}
	for set, want := range map[string]string{"OPENAI_BASE_URL=http://127.0.0.1:3128/v1": "http://127.0.0.1:3128/v1", "OPENAI_BASE_URL=": "https://api.openai.com/v1"} {
		home := t.TempDir()
		file := codexHome("/work")[0]
		path := filepath.Join(home, file.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(file.text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(sh, "-c", codexScript, "sh", `"/work"`)
		cmd.Env = append(os.Environ(), "HOME="+home, set)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		settings, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{`model_provider = "glovebox"`, `web_search = "disabled"`, "[model_providers.glovebox]", `base_url = "` + want + `"`, `env_key = "OPENAI_API_KEY"`} {
			if !strings.Contains("\n"+string(settings), "\n"+line+"\n") {
				t.Errorf("without %s: %s", line, settings)
			}
		}
	}
}
