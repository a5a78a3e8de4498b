package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// digest is one of a blob.
var digest = strings.Repeat("a", 64)

func gave(t *testing.T) *fakeService {
	t.Helper()
	params := []value.Param{
		{Name: "n", Type: value.MustType("int")}, {Name: "f", Type: value.MustType("File")},
		{Name: "d", Type: value.MustType("Dir")}, {Name: "l", Type: value.MustType("list[File]")},
	}
	file := value.File{Path: "x.txt", SHA256: digest}
	values := map[string]any{"n": int64(3), "f": file, "d": value.Dir{Path: "d", SHA256: digest}, "l": []any{file, value.File{Path: "..", SHA256: digest}}}
	text, err := api.EncodeFields(params, values)
	if err != nil {
		t.Fatal(err)
	}
	result := &api.Result{RunID: "run-1"}
	for _, p := range params {
		result.Outputs = append(result.Outputs, api.Output{Name: p.Name, Type: p.Type, Value: values[p.Name]})
	}
	return &fakeService{
		runs: map[string]*api.Run{
			"run-1":  {ID: "run-1", Status: api.StatusSucceeded, Signature: &api.Signature{Outputs: params}, Outputs: text},
			"run-on": {ID: "run-on", Status: api.StatusRunning, Signature: &api.Signature{Outputs: params}},
			"run-no": {ID: "run-no", Status: api.StatusFailed, Error: api.Errorf(api.NonzeroExit, "it failed"), Signature: &api.Signature{Outputs: params}},
		},
		blobs: map[string]string{digest: "bytes\x1b"}, result: result,
	}
}

func TestOutputs(t *testing.T) {
	got := run(t, gave(t), "outputs", "run-1")
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(got.out), &all); err != nil || string(all["n"]) != "3" || !strings.HasPrefix(got.out, `{"n":3,"f":{`) {
		t.Errorf("printed %s, %v", got.out, err)
	}
	expect(t, run(t, gave(t), "outputs", "run-1", "n"), printed{out: "3\n"})
	expect(t, run(t, gave(t), "outputs", "run-1", "f"), printed{out: "bytes\x1b"})
	for line, want := range map[string]string{
		"run-1 d": "is a directory", "run-1 nn": "did you mean n?", "run-on": "wait for its end with: glovebox wait run-on", "run-no": "it failed", "run-7": "there is no run",
	} {
		if got := run(t, gave(t), append([]string{"outputs"}, strings.Fields(line)...)...); got.status == 0 || !strings.Contains(got.err, want) {
			t.Errorf("%s: %+v", line, got)
		}
	}
	if text, _ := onTerminal(t, gave(t), "outputs", "run-1", "f"); text != "bytes\ufffd" {
		t.Errorf("a terminal gets %q", text)
	}
}

// TestOut: files are put where the user wants them, by every command that has them.
func TestOut(t *testing.T) {
	for _, line := range []string{"outputs run-1", "run -c x -o n:int -o f:File -o d:Dir -o l:list[File]"} {
		dir := filepath.Join(t.TempDir(), "made", "here")
		service := gave(t)
		got := run(t, service, append(strings.Fields(line), "--out", dir)...)
		for name, want := range map[string]string{"f": "bytes\x1b", "d": "tree " + digest, "l/0/x.txt": "bytes\x1b", "l/1/file": "bytes\x1b"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || string(text) != want {
				t.Errorf("%s: %s is %q, %v", line, name, text, err)
			}
			if !strings.Contains(got.out, `"path":"`+filepath.Join(dir, name)+`"`) {
				t.Errorf("%s: no %s in %s", line, name, got.out)
			}
		}
		service.closed = 0
		if got := run(t, service, append(strings.Fields(line), "--out", dir)...); got.status != exitUsage || !strings.Contains(got.err, "is there already") {
			t.Errorf("%s again: %+v", line, got)
		}
	}
	file := writeFile(t, "file", "")
	service := gave(t)
	if got := run(t, service, "run", "-c", "x", "-o", "f:File", "--out", file); got.status != exitUsage || len(service.submitted) > 0 {
		t.Errorf("%+v, submitted %d", got, len(service.submitted))
	}
}

// TestOutReplacesFiles as a whole or not at all.
func TestOutReplacesFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	service := gave(t)
	service.blobs = nil
	if got := run(t, service, "outputs", "run-1", "f", "--out", dir); got.status == 0 {
		t.Error("it is not there")
	}
	if text, err := os.ReadFile(filepath.Join(dir, "f")); string(text) != "old" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	expect(t, run(t, gave(t), "outputs", "run-1", "f", "--out", dir), printed{out: `{"f":{"path":"` + filepath.Join(dir, "f") + `","sha256":"` + digest + `"}}` + "\n"})
	if text, err := os.ReadFile(filepath.Join(dir, "f")); string(text) != "bytes\x1b" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.part")); left != nil {
		t.Errorf("left %v", left)
	}
}

// TestUnfinishedOutputsAreHidden: nothing that a killed process leaves looks like
// an output.
func TestUnfinishedOutputsAreHidden(t *testing.T) {
	dir := t.TempDir()
	var during []string
	looks := readerFunc(func([]byte) (int, error) {
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			during = append(during, e.Name())
		}
		if err != nil {
			return 0, err
		}
		return 0, io.EOF
	})
	if err := writeWhole(filepath.Join(dir, "report"), looks); err != nil {
		t.Fatal(err)
	}
	if len(during) != 1 || !strings.HasPrefix(during[0], ".") {
		t.Errorf("while it is written there are %q", during)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestWait(t *testing.T) {
	service := gave(t)
	service.result = resultOf(int64(7), "int")
	expect(t, run(t, service, "wait", "run-1"), printed{out: `{"result":7}` + "\n"})
	service = gave(t)
	service.result, service.failure = &api.Result{}, &api.Error{Code: api.NonzeroExit, Message: "it failed", Details: api.Details{ExitCode: 3}}
	expect(t, run(t, service, "wait", "run-1"), printed{err: "glovebox: nonzero_exit: it failed\n", status: 3})
	service.closed = 0
	if got := run(t, service, "wait", "run-1", "--json"); got.status != 3 || !strings.Contains(got.out, `"message":"it failed"`) {
		t.Errorf("%+v", got)
	}
}

func TestEvents(t *testing.T) {
	service := gave(t)
	service.events = []api.Event{{Seq: 1, Kind: api.EventCreated, Data: json.RawMessage(`{"a":"` + "\u202e" + `"}`)}, {Kind: api.EventProgress, Data: json.RawMessage(`{"stage":"run"}`)}}
	got := run(t, service, "events", "run-1")
	want := "     1  created          {\"a\":\"\ufffd\"}\n        progress         {\"stage\":\"run\"}\n"
	if got.out != want {
		t.Errorf("got %q, want %q", got.out, want)
	}
	service.closed = 0
	if got := run(t, service, "events", "run-1", "--json"); strings.Count(got.out, "\n") != 2 || !strings.HasPrefix(got.out, `{"run":"","seq":1,`) {
		t.Errorf("got %q", got.out)
	}
}
