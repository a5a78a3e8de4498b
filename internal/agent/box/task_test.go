package box

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// workHere runs a job as its cell does, with a script in the place of the agent.
func workHere(t *testing.T, script string, f Files) Work {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	agent, err := Find("claude")
	if err != nil {
		t.Fatal(err)
	}
	_, inputs, err := Job{Agent: agent}.Task("agent", f)
	if err != nil {
		t.Fatal(err)
	}
	var p program
	if err := json.Unmarshal([]byte(inputs["request"].(string)), &p); err != nil {
		t.Fatal(err)
	}
	p.Dir, p.HomeDir, p.Argv = t.TempDir(), t.TempDir(), []string{"sh", "-c", script}
	request, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	sample := filepath.Join(t.TempDir(), "sample")
	if err := os.WriteFile(sample, []byte("a,b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	source := "import sys\nfile_1, request = sys.argv[1:]\n" + workProgram + "\nprint('\\n' + work)\n"
	cmd := exec.Command(python, "-c", source, sample, string(request))
	cmd.Env = append(os.Environ(), "ANTHROPIC_API_KEY=sk-fake")
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	w, err := ReadWork(lines[len(lines)-1])
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestWorkInACell: texts and files go in, texts come out, and nothing that an agent
// leaves in the place of one is followed without end.
func TestWorkInACell(t *testing.T) {
	f := Files{Texts: map[string]string{"TASK.md": "do it", "sub/x": "x"}, Given: map[string]any{"samples/s.csv": nil}, Want: []string{"a", "fifo", "dir", "none", "long"}, Most: 100}
	w := workHere(t, `cat TASK.md sub/x samples/s.csv >a; mkfifo fifo; mkdir dir; head -c 101 /dev/zero >long
		grep -q '"approved":\["sk-fake"\]' "$HOME/.claude.json" || exit 9
		echo '{"type": "result", "result": "done", "total_cost_usd": 0.5}'; exit 4`, f)
	want := Work{
		Status: 4, Said: "done", Texts: map[string]string{"a": "do itxa,b\n"}, Cost: 0.5,
		Problems: map[string]string{"fifo": "it is no file", "dir": "it is no file", "none": "No such file or directory", "long": "it has more than 100 bytes"},
	}
	if d := cmp.Diff(want, w); d != "" {
		t.Error(d)
	}
	w = workHere(t, `printf 'no\nend\n'; echo '{"type": "result", "total_cost_usd": NaN}'; head -c 3000000 /dev/zero | tr '\0' x`, Files{Texts: map[string]string{}, Given: f.Given, Want: []string{}})
	if w.Status != 0 || len(w.Said) > 10<<10 || w.Cost != 0 {
		t.Errorf("%d bytes, %v", len(w.Said), w.Cost)
	}
	if _, err := ReadWork(`{"status": []}`); err == nil || api.AsError(err).Code != api.BadOutput {
		t.Error(err)
	}
}

// TestTaskOfAJob: the cell has what a box would have.
func TestTaskOfAJob(t *testing.T) {
	agent, err := Find("claude")
	if err != nil {
		t.Fatal(err)
	}
	job := Job{Agent: agent, Prompt: "x", Options: Options{Key: "mine", BaseURL: "https://models.example.com:8443/v1", MaxCost: 0.5}, Session: api.SessionSpec{Image: api.ImageSpec{Packages: []string{"six"}}}}
	task, _, err := job.Task("agent", Files{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(task.Image.Packages, "claude-agent-sdk=="+agent.Version) || !slices.Contains(task.Image.Packages, "six") {
		t.Error(task.Image.Packages)
	}
	if !cmp.Equal(task.Network, api.Network{Allow: []string{"models.example.com:8443"}}) || task.Secrets[0].Name != "mine" || task.Env["ANTHROPIC_BASE_URL"] == "" {
		t.Errorf("%+v", task)
	}
	job.Options = Options{Asks: &api.Asks{Model: api.Model{Name: "opus", Key: "mine"}}}
	if task, _, err = job.Task("agent", Files{}); err != nil || !task.Network.None() || len(task.Secrets) != 0 || task.Asks != job.Options.Asks || task.Env["ANTHROPIC_SMALL_FAST_MODEL"] != "opus" {
		t.Errorf("%+v, %v", task, err)
	}
	job.Installed = true
	if task, _, err = job.Task("agent", Files{}); err != nil || len(task.Image.Packages) != 1 {
		t.Errorf("%+v, %v", task, err)
	}
}
