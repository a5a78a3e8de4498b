//go:build linux

package glovebox_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/value"
)

// TestWorkerWithBlobs: a worker that shares no files with the server gets and
// gives them by their content, as any client does.
func TestWorkerWithBlobs(t *testing.T) {
	for name, start := range map[string]func(*testing.T) string{"socket": socketServer, "tcp": tcpServer} {
		t.Run(name, func(t *testing.T) {
			c, err := client.Dial(start(t), client.Options{Token: testToken})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			w := connectBlobWorker(t, c)
			t.Run("files", func(t *testing.T) { w.checkFiles(t) })
			t.Run("lies", func(t *testing.T) { w.checkLies(t) })
		})
	}
}

// blobWorker is a worker that speaks the protocol by hand, and a client of the
// same server that starts runs.
type blobWorker struct {
	client *client.Client
	conn   net.Conn
	lines  *bufio.Scanner
}

var swap = api.Task{
	Name: "swap", Kind: api.KindFunction, Function: &api.Function{ID: "swap"}, Cache: api.CacheDisable,
	Signature: api.Signature{
		Inputs:  []value.Param{{Name: "f", Type: value.Type{Kind: value.KindFile}}, {Name: "d", Type: value.Type{Kind: value.KindDir}}},
		Outputs: []value.Param{{Name: "f", Type: value.Type{Kind: value.KindFile}}, {Name: "d", Type: value.Type{Kind: value.KindDir}}},
	},
}

func connectBlobWorker(t *testing.T, c *client.Client) *blobWorker {
	t.Helper()
	conn, err := c.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	w := &blobWorker{c, conn, bufio.NewScanner(conn)}
	signature, err := json.Marshal(swap.Signature)
	if err != nil {
		t.Fatal(err)
	}
	w.say(t, `{"type":"hello","protocol":1,"worker":"0123456789abcdef","name":"raw","capacity":1,"blobs":true,"functions":[{"id":"swap","task":{"signature":%s}}]}`, signature)
	w.hear(t, "welcome")
	return w
}

func (w *blobWorker) say(t *testing.T, format string, args ...any) {
	t.Helper()
	if _, err := fmt.Fprintf(w.conn, format+"\n", args...); err != nil {
		t.Fatal(err)
	}
}

// said is what a test wants to know of a message.
type said struct {
	Type   string
	Call   string
	Inputs map[string]struct {
		Path, SHA256 string
		Size         int64
	}
}

// hear reads messages until one of that type comes.
func (w *blobWorker) hear(t *testing.T, kind string) (m said) {
	t.Helper()
	for w.lines.Scan() {
		m = said{}
		if err := json.Unmarshal(w.lines.Bytes(), &m); err != nil {
			t.Fatalf("%s: %v", w.lines.Bytes(), err)
		}
		if m.Type == kind {
			return m
		}
	}
	t.Fatalf("waiting for %s: %v", kind, w.lines.Err())
	return m
}

// call starts a run of swap, and returns what the worker is asked and how the
// run ends.
func (w *blobWorker) call(t *testing.T) (m said, wait func() (*api.Result, error)) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "in.txt"), []byte("given"), 0o600)); err != nil {
		t.Fatal(err)
	}
	run, err := w.client.Submit(t.Context(), api.Submission{Task: &swap, Inputs: map[string]any{
		"f": value.File{Path: filepath.Join(dir, "in.txt")}, "d": value.Dir{Path: dir},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return w.hear(t, "call"), func() (*api.Result, error) { return w.client.Wait(t.Context(), run.ID) }
}

func (w *blobWorker) checkFiles(t *testing.T) {
	m, wait := w.call(t)
	f, d := m.Inputs["f"], m.Inputs["d"]
	if f.Path != "in.txt" || f.Size != 5 || d.Path != "data" {
		t.Errorf("the inputs are %+v", m.Inputs)
	}
	r, _, err := w.client.OpenBlob(t.Context(), f.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err := errors.Join(err, r.Close()); err != nil || string(text) != "given" {
		t.Errorf("the bytes are %q, %v", text, err)
	}
	digest, _, err := w.client.PutBlob(t.Context(), strings.NewReader("made"))
	if err != nil {
		t.Fatal(err)
	}
	w.say(t, `{"type":"result","call":%q,"outputs":{"f":{"path":"out.txt","sha256":%q},"d":{"path":"back","sha256":%q}}}`, m.Call, digest, d.SHA256)
	result, err := wait()
	if err != nil {
		t.Fatal(err)
	}
	made, dir := outputOf[value.File](t, result, "f"), outputOf[value.Dir](t, result, "d")
	if text, err := os.ReadFile(made.Path); err != nil || string(text) != "made" || filepath.Base(made.Path) != "out.txt" {
		t.Errorf("the file %s holds %q, %v", made.Path, text, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir.Path, "in.txt")); err != nil || string(text) != "given" {
		t.Errorf("the directory %s holds %q, %v", dir.Path, text, err)
	}
}

// checkLies: a worker cannot have the server read a file of its host, and gets
// an error that names the missing blob.
func (w *blobWorker) checkLies(t *testing.T) {
	absent := strings.Repeat("ab", 32)
	for name, lie := range map[string]string{
		"a path":               `{"path":"/etc/passwd"}`,
		"a path with a digest": `{"path":"/etc/passwd","sha256":"` + absent + `"}`,
		"no digest":            `{"path":"passwd"}`,
		"no blob":              `{"path":"lost.txt","sha256":"` + absent + `"}`,
		"no digest at all":     `{"path":"x","sha256":"../../etc/passwd"}`,
	} {
		t.Run(name, func(t *testing.T) {
			m, wait := w.call(t)
			w.say(t, `{"type":"result","call":%q,"outputs":{"f":%s,"d":{"path":"d","sha256":%q}}}`, m.Call, lie, m.Inputs["d"].SHA256)
			_, err := wait()
			if !errors.Is(err, glovebox.ErrBadOutput) || api.AsError(err).Details.Field != "f" {
				t.Fatalf("ended with %v; want bad_output of f", err)
			}
			if name == "no blob" && !strings.Contains(err.Error(), "lost.txt") {
				t.Errorf("%v does not name the file", err)
			}
		})
	}
	m, wait := w.call(t)
	w.say(t, `{"type":"result","call":%q,"outputs":{"f":{"path":"f","sha256":%q},"d":{"path":"gone","sha256":%q}}}`, m.Call, m.Inputs["f"].SHA256, absent)
	if _, err := wait(); !errors.Is(err, glovebox.ErrBadOutput) || !strings.Contains(err.Error(), "gone") {
		t.Errorf("a directory without its manifest: %v; want bad_output", err)
	}
}

func outputOf[T any](t *testing.T, result *api.Result, name string) (v T) {
	t.Helper()
	for _, out := range result.Outputs {
		if v, ok := out.Value.(T); ok && out.Name == name {
			return v
		}
	}
	t.Fatalf("there is no output %s in %+v", name, result.Outputs)
	return v
}
