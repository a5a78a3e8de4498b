package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/value"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func params(words ...string) []value.Param {
	var p []value.Param
	for i := 0; i < len(words); i += 2 {
		p = append(p, value.Param{Name: words[i], Type: mustType(words[i+1])})
	}
	return p
}

func mustType(text string) value.Type {
	t, err := value.ParseType(text)
	if err != nil {
		panic(err)
	}
	return t
}

// submissions is a server that keeps the inputs of the last submission.
func submissions(t *testing.T) (*Client, blob.Store, func() string, *atomic.Int32) {
	var inputs json.RawMessage
	var uploads atomic.Int32
	mux := routes(map[string]http.HandlerFunc{
		"POST /v1/runs": func(w http.ResponseWriter, r *http.Request) {
			var in submission
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
				t.Error(err)
			}
			inputs = in.Inputs
			answer(w, 201, api.Run{ID: "r"})
		},
		"GET /v1/tasks/{name}": func(w http.ResponseWriter, r *http.Request) {
			answer(w, 200, api.TaskVersion{Name: r.PathValue("name"), Signature: api.Signature{Inputs: params("x", "float")}})
		},
	})
	store := blobs(t, mux)
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/v1/blobs" {
			uploads.Add(1)
		}
		mux.ServeHTTP(w, r)
	})
	return serve(t, counted), store, func() string { return string(inputs) }, &uploads
}

func TestInputsAreWrittenAsDeclared(t *testing.T) {
	c, _, inputs, _ := submissions(t)
	task := &api.Task{Signature: api.Signature{Inputs: params("f", "float", "b", "bytes", "a", "Any", "n", "int")}}
	_, err := c.Submit(t.Context(), api.Submission{Task: task, Inputs: map[string]any{
		"f": math.Inf(1), "b": []byte{0}, "a": value.Tuple{int64(1), math.NaN()}, "n": 5,
	}})
	if want := `{"f":"Infinity","b":"AA==","a":{"$tuple":[1,{"$float":"NaN"}]},"n":5}`; err != nil || inputs() != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, inputs(), want)
	}
	if _, err = c.Submit(t.Context(), api.Submission{Name: "t", Inputs: map[string]any{"x": math.Copysign(0, -1)}}); err != nil || inputs() != `{"x":-0.0}` {
		t.Errorf("%v, got %s", err, inputs())
	}
}

func TestInputsThatDoNotFit(t *testing.T) {
	c, _, _, _ := submissions(t)
	task := &api.Task{Signature: api.Signature{Inputs: params("x", "int", "f", "File")}}
	ok := value.File{Path: write(t, filepath.Join(t.TempDir(), "f"), "x")}
	fifo := specialFile(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(ok.Path, link); err != nil && runtime.GOOS == "windows" {
		t.Skipf("making links on Windows takes a privilege: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	for name, inputs := range map[string]map[string]any{
		"missing":      {"x": 1},
		"unknown":      {"x": 1, "f": ok, "y": 2},
		"wrong":        {"x": "one", "f": ok},
		"no file":      {"x": 1, "f": value.File{Path: "/none/such"}},
		"directory":    {"x": 1, "f": value.File{Path: t.TempDir()}},
		"fifo":         {"x": 1, "f": value.File{Path: fifo}},
		"link":         {"x": 1, "f": value.File{Path: link}},
		"other digest": {"x": 1, "f": value.File{Path: ok.Path, SHA256: strings.Repeat("0", 64)}},
		"relative":     {"x": 1, "f": value.File{Path: "f"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.Submit(t.Context(), api.Submission{Task: task, Inputs: inputs})
			if e := wantCode(t, err, api.InvalidInput); e.Details.Field == "" {
				t.Errorf("no field: %v", e)
			}
		})
	}
	lost := value.File{Path: "f", SHA256: strings.Repeat("0", 64)}
	_, err := c.Submit(t.Context(), api.Submission{Task: task, Inputs: map[string]any{"x": 1, "f": lost}})
	wantCode(t, err, api.NotFound)
	_, err = c.Submit(t.Context(), api.Submission{})
	wantCode(t, err, api.InvalidTask)
	_, err = c.Submit(t.Context(), api.Submission{Task: task, Name: "t"})
	wantCode(t, err, api.InvalidTask)
}

// Paths stay here, contents go, and only once.
func TestFilesAreUploadedOnce(t *testing.T) {
	c, store, inputs, uploads := submissions(t)
	dir := t.TempDir()
	f := write(t, filepath.Join(dir, "a.txt"), "hello")
	write(t, filepath.Join(dir, "tree", "sub", "b"), "b")
	write(t, filepath.Join(dir, "tree", "c"), "c")
	task := &api.Task{Signature: api.Signature{Inputs: params("f", "File", "t", "Dir", "l", "list[File]", "d", "Optional[DataFrame]")}}
	s := api.Submission{Task: task, Inputs: map[string]any{
		"f": value.File{Path: f}, "t": value.Dir{Path: filepath.Join(dir, "tree")}, "l": []any{value.File{Path: f}}, "d": nil,
	}}
	if _, err := c.Submit(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	first := inputs()
	if strings.Contains(first, dir) {
		t.Errorf("a path of this host went to the server: %s", first)
	}
	values, err := api.DecodeFields("input", task.Signature.Inputs, json.RawMessage(first))
	if err != nil {
		t.Fatal(err)
	}
	got := values["f"].(value.File)
	if _, err := store.Stat(t.Context(), got.SHA256); err != nil || got.Path != "a.txt" || got.Size != 5 {
		t.Errorf("file: %+v, %v", got, err)
	}
	tree := values["t"].(value.Dir)
	if tree.Path != "tree" || tree.Files != 2 || tree.Size != 2 {
		t.Errorf("tree: %+v", tree)
	}
	if n := uploads.Load(); n != 4 { // hello, b, c and the manifest
		t.Errorf("%d uploads", n)
	}
	if _, err := c.Submit(t.Context(), s); err != nil || inputs() != first || uploads.Load() != 4 {
		t.Errorf("again: %v, %d uploads, %s", err, uploads.Load(), inputs())
	}
	named := value.File{Path: "somewhere/else", SHA256: got.SHA256}
	if _, err := c.Submit(t.Context(), api.Submission{Task: &api.Task{Signature: api.Signature{Inputs: params("f", "File")}}, Inputs: map[string]any{"f": named}}); err != nil {
		t.Fatal(err)
	}
	if want := `{"f":{"path":"else","size":5,"sha256":"` + got.SHA256 + `"}}`; inputs() != want {
		t.Errorf("got %s, want %s", inputs(), want)
	}
}

// result makes a server that has one run with these outputs.
func result(t *testing.T, id string, outputs func(blob.Store) []api.Output, runErr *api.Error) *Client {
	mux := http.NewServeMux()
	r := &api.Result{Outputs: outputs(blobs(t, mux)), Stdout: []byte("out\xff"), Stderr: []byte("err")}
	var polls atomic.Int32
	mux.HandleFunc("GET /v1/runs/{id}/result", func(w http.ResponseWriter, req *http.Request) {
		run := &api.Run{ID: id, Status: api.StatusSucceeded, Error: runErr, Attempts: 2, ExitCode: 3}
		if req.URL.Query().Get("wait") == "" || polls.Add(1) == 1 {
			answer(w, 202, api.RunResult{Run: run})
			return
		}
		text, err := api.EncodeResult(run, r)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(text)
	})
	return serve(t, mux)
}

func TestWaitDownloadsFiles(t *testing.T) {
	var digest string
	c := result(t, "r", func(s blob.Store) []api.Output {
		a, b := put(t, s, "first"), put(t, s, "second")
		dir := t.TempDir()
		write(t, filepath.Join(dir, "x", "y"), "in the tree")
		tree, err := blob.PutTree(t.Context(), s, dir, blob.TreeLimits{})
		if err != nil {
			t.Fatal(err)
		}
		tree.Path, digest = "tree", a.Digest
		file := value.File{Path: "first.txt", Size: a.Size, SHA256: a.Digest}
		return []api.Output{
			{Name: "f", Type: mustType("File"), Value: file},
			{Name: "n", Type: mustType("int"), Value: int64(7)},
			{Name: "l", Type: mustType("list[File]"), Value: []any{file, value.File{Path: "first.txt", SHA256: b.Digest}}},
			{Name: "d", Type: mustType("Dir"), Value: tree},
			{Name: "any", Type: mustType("Any"), Value: value.DataFrame{Path: "t.parquet", Format: "parquet", SHA256: b.Digest}},
		}
	}, nil)
	for range 2 { // the second time in place of the first
		r, err := c.Wait(t.Context(), "r")
		if err != nil {
			t.Fatal(err)
		}
		f := r.Outputs[0].Value.(value.File)
		if read(t, f.Path) != "first" || f.Path != filepath.Join(c.store.dir, "r", "f", "0", "first.txt") || f.SHA256 != digest {
			t.Errorf("file: %+v", f)
		}
		list := r.Outputs[2].Value.([]any)
		if read(t, list[0].(value.File).Path) != "first" || read(t, list[1].(value.File).Path) != "second" {
			t.Errorf("list: %+v", list)
		}
		if tree := r.Outputs[3].Value.(value.Dir); read(t, filepath.Join(tree.Path, "x", "y")) != "in the tree" || tree.Files != 1 {
			t.Errorf("tree: %+v", tree)
		}
		if frame := r.Outputs[4].Value.(value.DataFrame); read(t, frame.Path) != "second" || frame.Format != "parquet" {
			t.Errorf("frame: %+v", frame)
		}
		if r.RunID != "r" || r.Attempts != 2 || r.ExitCode != 3 || string(r.Stdout) != "out\xff" || string(r.Stderr) != "err" || r.Outputs[1].Value != int64(7) {
			t.Errorf("result: %+v", r)
		}
	}
	left, err := filepath.Glob(filepath.Join(c.store.dir, "r", "*", "*", ".download-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// A failed run has its error and what there is.
func TestWaitForAFailedRun(t *testing.T) {
	want := api.Errorf(api.CallFailed, "add failed").WithDetails(api.Details{Call: &api.FailedCall{ID: 2, Tool: "add", Error: api.Errorf(api.Timeout, "slow")}})
	c := result(t, "r", func(blob.Store) []api.Output { return nil }, want)
	r, err := c.Wait(t.Context(), "r")
	got := wantCode(t, err, api.CallFailed)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(api.Error{})); diff != "" || r == nil || string(r.Stderr) != "err" {
		t.Errorf("result %+v, -want +got:\n%s", r, diff)
	}
}

// Neither names nor bytes of a server are believed.
func TestHostileResults(t *testing.T) {
	file := func(s blob.Store) value.File { return value.File{Path: "../../x", SHA256: put(t, s, "x").Digest} }
	for name, test := range map[string]struct {
		run, output string
	}{
		"run goes up":          {"../up", "f"},
		"run is absolute":      {"/tmp/x", "f"},
		"output goes up":       {"r", "../../up"},
		"output is a dot":      {"r", ".."},
		"output has a newline": {"r", "a\nb"},
		"no name":              {"r", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := result(t, test.run, func(s blob.Store) []api.Output {
				return []api.Output{{Name: test.output, Type: mustType("File"), Value: file(s)}}
			}, nil)
			c.store.dir, c.store.own = filepath.Join(t.TempDir(), "a", "b"), false
			_, err := c.Wait(t.Context(), "r")
			wantCode(t, err, api.ServerUnavailable)
			if entries, err := os.ReadDir(filepath.Dir(filepath.Dir(c.store.dir))); err == nil && len(entries) > 0 {
				t.Errorf("something was written: %v", entries)
			}
		})
	}
}

func TestBytesAreHeldToTheirDigest(t *testing.T) {
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("other bytes")) }))
	r, size, err := c.OpenBlob(t.Context(), strings.Repeat("0", 64))
	if err != nil || size != 11 {
		t.Fatal(size, err)
	}
	defer r.Close()
	_, err = io.ReadAll(r)
	wantCode(t, err, api.StorageCorrupt)
}

// A download that breaks off begins again, and leaves nothing of the first try.
func TestDownloadBeginsAgain(t *testing.T) {
	text := strings.Repeat("0123456789", 10_000)
	var tries atomic.Int32
	mux := http.NewServeMux()
	var digest string
	mux.HandleFunc("GET /v1/blobs/{digest}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100000")
		if tries.Add(1) < 3 {
			_, _ = io.WriteString(w, strings.Repeat("x", 50_000))
			_ = http.NewResponseController(w).Flush()
			cut(w)
		}
		_, _ = io.WriteString(w, text)
	})
	c := serve(t, mux)
	store := blobs(t, http.NewServeMux())
	digest = put(t, store, text).Digest
	r := &api.Result{RunID: "r", Outputs: []api.Output{{Name: "f", Type: mustType("File"), Value: value.File{Path: "f", SHA256: digest}}}}
	if err := c.download(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if got := read(t, r.Outputs[0].Value.(value.File).Path); got != text {
		t.Errorf("%d bytes, another text", len(got))
	}
}

func TestPutBlob(t *testing.T) {
	c, store, _, uploads := submissions(t)
	want := put(t, blobs(t, http.NewServeMux()), "content")
	for i, r := range []io.Reader{onlyReader{strings.NewReader("content")}, strings.NewReader("content"), bytes.NewReader([]byte("content"))} {
		digest, size, err := c.PutBlob(t.Context(), r)
		if err != nil || digest != want.Digest || size != want.Size {
			t.Errorf("%d: %s, %d, %v", i, digest, size, err)
		}
	}
	if n := uploads.Load(); n != 1 {
		t.Errorf("%d uploads", n)
	}
	if _, err := store.Stat(t.Context(), want.Digest); err != nil {
		t.Error(err)
	}
	broken := errors.New("the disk is broken")
	_, _, err := c.PutBlob(t.Context(), io.MultiReader(strings.NewReader("x"), failing{broken}))
	if e := wantCode(t, err, api.RequestInvalid); !errors.Is(e, broken) {
		t.Errorf("the cause is lost: %v", e)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestTrees(t *testing.T) {
	c, _, _, _ := submissions(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a", "b"), "text")
	d, err := c.PutTree(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "out")
	if err := c.ExportTree(t.Context(), d, to); err != nil || read(t, filepath.Join(to, "a", "b")) != "text" {
		t.Fatal(err)
	}
	wantCode(t, c.ExportTree(t.Context(), d, to), api.Conflict)
	d.SHA256 = strings.Repeat("1", 64)
	wantCode(t, c.ExportTree(t.Context(), d, to+"2"), api.NotFound)
	_, err = c.PutTree(t.Context(), filepath.Join(dir, "none"))
	wantCode(t, err, api.InvalidInput)
}

func TestRerunReplacesInputs(t *testing.T) {
	var body string
	c := serve(t, routes(map[string]http.HandlerFunc{
		"GET /v1/runs/r": func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, api.Run{ID: "r", Signature: &api.Signature{Inputs: params("x", "bytes", "y", "int")}})
		},
		"POST /v1/runs/r/rerun": func(w http.ResponseWriter, r *http.Request) {
			text, _ := io.ReadAll(r.Body)
			body = string(text)
			answer(w, 201, api.Run{ID: "r2"})
		},
	}))
	run, err := c.Rerun(t.Context(), "r", api.RerunOptions{Inputs: map[string]any{"x": []byte{1}}, From: 3})
	if want := `{"from":3,"inputs":{"x":"AQ=="}}`; err != nil || run.ID != "r2" || body != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, body, want)
	}
	_, err = c.Rerun(t.Context(), "r", api.RerunOptions{Inputs: map[string]any{"z": 1}})
	if e := wantCode(t, err, api.InvalidInput); e.Details.Field != "z" {
		t.Errorf("got %+v", e)
	}
	task := &api.Task{Signature: api.Signature{Inputs: params("z", "float")}}
	if _, err = c.Rerun(t.Context(), "r", api.RerunOptions{Task: task, Inputs: map[string]any{"z": 1}}); err != nil || !strings.Contains(body, `"inputs":{"z":1.0}`) {
		t.Errorf("%v, %s", err, body)
	}
}
