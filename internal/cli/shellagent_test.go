package cli

import (
	"bytes"
	"context"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// agentFake is a service whose sessions have an agent that changes files.
type agentFake struct {
	*sessionFake
	work map[string]string // what it writes, and removes if there is nothing to write
	meet func()            // what happens here meanwhile
}

func (f *agentFake) StartProcess(ctx context.Context, id string, spec api.ProcessSpec) iter.Seq2[api.ProcessEvent, error] {
	if spec.Argv[0] == "claude" {
		for name, text := range f.work {
			var err error
			if text == "" {
				err = f.RemoveFile(ctx, id, name, api.FileOptions{})
			} else {
				_, err = f.WriteFile(ctx, id, name, strings.NewReader(text), api.WriteOptions{})
			}
			if err != nil {
				return func(yield func(api.ProcessEvent, error) bool) { yield(api.ProcessEvent{}, err) }
			}
		}
		if f.meet != nil {
			f.meet()
		}
	}
	return f.sessionFake.StartProcess(ctx, id, spec)
}

func (f *agentFake) shell(t *testing.T, args ...string) printed {
	t.Helper()
	var out, errs bytes.Buffer
	c := &cli{
		Streams: Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, remote: true,
		connect: func(context.Context, string) (api.Service, error) { return f, nil },
	}
	root := c.root()
	root.SetArgs(append([]string{"shell", "--dir", "/work"}, args...))
	cmd, err := root.ExecuteContextC(t.Context())
	status := c.conclude(cmd, args, err)
	return printed{out.String(), errs.String(), status}
}

func layProject(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestShellOfAnAgent(t *testing.T) {
	f := &agentFake{sessionFake: newSessionFake(), work: map[string]string{"a.txt": "two\n", "gone.txt": "", "new.txt": "new\n"}}
	dir := layProject(t, map[string]string{"a.txt": "one\n", "gone.txt": "x\n", ".env": "SECRET", ".gitignore": ".env\n"})
	got := f.shell(t, "--agent", "claude", "--project", dir, "--prompt", "echo done")
	for _, want := range []string{"left here, ignored: .env", "reaches its model only", "modified a.txt +1 -1", "deleted  gone.txt +0 -1", "added    new.txt +1 -0", "nothing is changed here without an answer", "0 of 3 changes"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("without %q: %s", want, got.err)
		}
	}
	if got.status != 0 || !strings.HasPrefix(got.out, "echo done\ndiff --git") && !strings.HasPrefix(got.out, "done\ndiff --git") {
		t.Errorf("%d, %s", got.status, got.out)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a.txt")); err != nil || string(text) != "one\n" {
		t.Errorf("it was changed without an answer: %q, %v", text, err)
	}
	session, err := f.Session(t.Context(), "session1")
	if err != nil || session.State != api.SessionOver || session.Spec.Labels["agent"] != "claude" || len(session.Spec.Secrets) > 0 || session.Spec.Asks.Model.Key != "ANTHROPIC_API_KEY" || session.Spec.Resources.Memory != 4<<30 {
		t.Errorf("%+v, %v", session, err)
	}
	got = f.shell(t, "--agent", "claude@9.9.9", "--project", dir, "--prompt", "exit 3", "--yes", "--key", "mine", "--network", "pypi.org", "--memory", "2Gi")
	if got.status != 3 || !strings.Contains(got.err, "3 of 3 changes are made") || !strings.Contains(got.err, "ended with status 3") || !strings.Contains(got.err, "its model, pypi.org only") {
		t.Errorf("%+v", got)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a.txt")); err != nil || string(text) != "two\n" {
		t.Errorf("%q, %v", text, err)
	}
	if last := f.built[len(f.built)-1]; last.Packages[0] != "claude-agent-sdk==9.9.9" {
		t.Errorf("%+v", last)
	}
}

// TestConflictOfAnAgent: a file that was changed here stays, and the work is kept.
func TestConflictOfAnAgent(t *testing.T) {
	f := &agentFake{sessionFake: newSessionFake(), work: map[string]string{"a.txt": "its\n", "b.txt": "its\n"}}
	dir := layProject(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	f.meet = func() {
		if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("mine\n"), 0o644); err != nil {
			t.Error(err)
		}
	}
	got := f.shell(t, "--agent", "claude", "--project", dir, "--prompt", "echo done", "--yes")
	if got.status != api.Conflict.Info().Exit || !strings.Contains(got.err, "in conflict: it was changed here, too") || !strings.Contains(got.err, "1 of 2 changes are made") || !strings.Contains(got.err, "session session1 is paused") {
		t.Errorf("%+v", got)
	}
	for name, want := range map[string]string{"a.txt": "mine\n", "b.txt": "its\n"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestShellsThatAreNoAgents(t *testing.T) {
	f := &agentFake{sessionFake: newSessionFake()}
	for want, args := range map[string][]string{
		`there is no agent "clod"; known are claude, codex`: {"--agent", "clod", "--prompt", "x"},
		"did you mean claude?":                              {"--agent", "clude", "--prompt", "x"},
		`"x y" is no version of Claude Code`:                {"--agent", "claude@x y", "--prompt", "x"},
		"asks on a terminal, and there is none":             {"--agent", "claude"},
		"--yes is for an agent, and there is none":          {"--yes"},
		"expected a URL such as":                            {"--agent", "claude", "--prompt", "x", "--model-url", "ftp://x"},
		"cannot be read":                                    {"--agent", "claude", "--prompt", "x", "--project", "/nowhere"},
	} {
		if got := f.shell(t, args...); got.status == 0 || !strings.Contains(got.err, want) {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// TestReviewedText: a terminal shows all that a diff has, and obeys nothing of it.
func TestReviewedText(t *testing.T) {
	var out strings.Builder
	if _, err := io.WriteString(reviewed{&out}, "+a\t\x1b[8mhidden\x1b[0m\r\u202eb\u200bc\x00\n+ü\n"); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "+a\t\ufffd[8mhidden\ufffd[0m\ufffd\ufffdb\ufffdc\ufffd\n+ü\n" {
		t.Errorf("%q", got)
	}
}

// TestAnswersAfterAnAgent: what is typed after an agent has ended answers the questions.
func TestAnswersAfterAnAgent(t *testing.T) {
	r, w := io.Pipe()
	a := newAnswers(r)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := a.until(ctx).Read(make([]byte, 10))
		ended <- err
	}()
	stop()
	if err := <-ended; err != io.EOF {
		t.Error(err)
	}
	go func() { _, _ = io.WriteString(w, "X\n Yes \nno"); w.Close() }()
	c := &cli{Streams: Streams{Err: io.Discard}}
	if got := c.ask(t.Context(), a, "really?", "yn"); got != 'y' {
		t.Errorf("%c", got)
	}
	if got := c.ask(t.Context(), a, "again?", "yn"); got != 'n' {
		t.Errorf("%c", got)
	}
}
