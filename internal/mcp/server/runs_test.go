package server

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// TestRunPython passes everything on, and returns everything that came of it.
func TestRunPython(t *testing.T) {
	png := []byte("\x89PNG\r\n\x1a\n....")
	digest := strings.Repeat("a", 64)
	f := newFake(func(context.Context, api.Submission) (*api.Result, error) {
		return &api.Result{Stdout: []byte("hello\n"), Stderr: []byte("careful\n"), Outputs: []api.Output{
			{Name: "plot", Type: value.Type{Kind: value.KindFile}, Value: value.File{Path: "/somewhere/plot.png", Size: int64(len(png)), SHA256: digest}},
			{Name: "total", Type: value.Type{Kind: value.KindInt}, Value: int64(9007199254740993)},
		}}, nil
	})
	f.blobs[digest] = png
	r := call(t, connect(t, f, nil), "run_python", map[string]any{
		"code": "total = x + 1", "inputs": map[string]any{"x": json.Number("9007199254740992"), "day": "2026-01-02"}, "input_types": map[string]any{"day": "date"},
		"outputs": map[string]any{"total": "int", "plot": "File"}, "packages": []string{"numpy"}, "network": []string{"pypi.org"}, "time_limit_s": 1.5, "memory_mb": 64,
	})
	if r.IsError {
		t.Fatalf("it failed: %s", said(r))
	}
	task := f.last.Task
	if task.Code != "total = x + 1" || !slices.Equal(task.Image.Packages, []string{"numpy"}) || !slices.Equal(task.Network.Allow, []string{"pypi.org"}) ||
		task.Timeout.Seconds() != 1.5 || task.Resources.Memory != 64<<20 {
		t.Errorf("the task is %+v", task)
	}
	if x, _ := f.last.Checked.Value("x"); x != int64(9007199254740992) {
		t.Errorf("x is %v, a float would have lost its end", x)
	}
	if day, _ := f.last.Checked.Value("day"); fmt.Sprint(day) != "2026-01-02" {
		t.Errorf("day is %#v", day)
	}
	for _, want := range []string{"run run-1: succeeded", "hello", "careful", `"total":9007199254740993`, "glovebox://runs/run-1/outputs/plot"} {
		if !strings.Contains(said(r), want) {
			t.Errorf("the answer lacks %q:\n%s", want, said(r))
		}
	}
	if strings.Contains(said(r), "/somewhere") {
		t.Errorf("the answer has a path of the host:\n%s", said(r))
	}
	if link, ok := r.Content[len(r.Content)-1].(*mcp.ResourceLink); !ok || link.URI != "glovebox://runs/run-1/outputs/plot" || *link.Size == 0 {
		t.Errorf("no link to the file at the end of %+v", r.Content)
	}
	if image, ok := r.Content[len(r.Content)-2].(*mcp.ImageContent); !ok || image.MIMEType != "image/png" || string(image.Data) != string(png) {
		t.Errorf("the image is %+v", r.Content)
	}
	if member(r, "run") != "run-1" || member(r, "status") != "succeeded" || member(r, "stdout") != "hello\n" {
		t.Errorf("the structured content is %v", r.StructuredContent)
	}
}

// TestRunsRefuseTheHost holds a model to what is its own: no file of the host by
// a path, as an input or as an image.
func TestRunsRefuseTheHost(t *testing.T) {
	f := newFake(printing(""))
	c := connect(t, f, nil)
	for name, args := range map[string]map[string]any{
		"input":  {"code": "f", "inputs": map[string]any{"f": "/etc/passwd"}, "input_types": map[string]any{"f": "File"}},
		"nested": {"code": "f", "inputs": map[string]any{"f": []any{map[string]any{"$file": map[string]any{"path": "/etc/passwd"}}}}},
		"image":  {"code": "f", "image": "oci:/var/lib/image"},
	} {
		r := call(t, c, "run_python", args)
		if !r.IsError || !strings.Contains(said(r), "would") && !strings.Contains(said(r), "invalid_input") {
			t.Errorf("%s: %s", name, said(r))
		}
	}
	if len(f.runs) != 0 {
		t.Errorf("%d runs were started", len(f.runs))
	}
}

// TestFailures are answers, with what a model needs to go on.
func TestFailures(t *testing.T) {
	f := newFake(func(context.Context, api.Submission) (*api.Result, error) {
		return &api.Result{Stdout: []byte("before\n"), ExitCode: 1}, api.Errorf(api.Timeout, "it took too long").WithHint("raise the limit")
	})
	c := connect(t, f, nil)
	r := call(t, c, "run_command", map[string]any{"command": "sleep 100"})
	if !r.IsError || !strings.Contains(said(r), "timeout: it took too long\nhint: raise the limit") || !strings.Contains(said(r), "before") {
		t.Errorf("the answer is %s", said(r))
	}
	if e, _ := member(r, "error").(map[string]any); e["code"] != "timeout" || member(r, "status") != "failed" {
		t.Errorf("the structured content is %v", r.StructuredContent)
	}
	for tool, args := range map[string]map[string]any{
		"run_python":  {"code": "1", "codes": "2"},
		"run_command": {},
		"run_get":     {"run": "run-77"},
	} {
		if r := call(t, c, tool, args); !r.IsError || said(r) == "" {
			t.Errorf("%s: %+v", tool, r)
		}
	}
}

// TestAnswersAreBounded: what is left out is counted, and can be had in pages.
func TestAnswersAreBounded(t *testing.T) {
	text := strings.Repeat("line of text\n", 100_000)
	digest := strings.Repeat("b", 64)
	f := newFake(func(context.Context, api.Submission) (*api.Result, error) {
		return &api.Result{Stdout: []byte(text), Stderr: []byte(text), Outputs: []api.Output{
			{Name: "s", Type: value.Type{Kind: value.KindStr}, Value: text},
			{Name: "big", Type: value.Type{Kind: value.KindFile}, Value: value.File{Path: "big", Size: maxRead + 1, SHA256: digest}},
		}}, nil
	})
	f.blobs[digest] = make([]byte, maxRead+1)
	c := connect(t, f, nil)
	r := call(t, c, "run_python", map[string]any{"code": "..."})
	whole, _ := json.Marshal(r)
	if len(whole) > 4*(2*maxText+maxValue) {
		t.Errorf("the answer has %d bytes", len(whole))
	}
	for _, want := range []string{"bytes in the middle of stdout", "bytes in the middle of stderr", "the output s, 1400002 bytes of JSON; the resource glovebox://runs/run-1/outputs/s has it"} {
		if !strings.Contains(said(r), want) {
			t.Errorf("the answer lacks %q", want)
		}
	}
	var paged strings.Builder
	for from := 0; ; {
		part := call(t, c, "run_get", map[string]any{"run": "run-1", "log_from": from})
		log, _ := member(part, "log").(string)
		if log == "" || len(log) > maxText {
			t.Fatalf("a page from %d has %d bytes", from, len(log))
		}
		paged.WriteString(log)
		if from += len(log); from == len(text) {
			break
		}
	}
	if paged.String() != text {
		t.Error("the pages are not what was printed")
	}
	if read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "glovebox://runs/run-1/outputs/s"}); err != nil || len(read.Contents[0].Text) != 1400002 {
		t.Errorf("the resource of a value: %v", err)
	}
	if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "glovebox://runs/run-1/outputs/big"}); err == nil || !strings.Contains(err.Error(), "4194305 bytes") {
		t.Errorf("a resource that is too large: %v", err)
	}
	if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "glovebox://runs/run-1/outputs/none"}); err == nil {
		t.Error("there is a resource of no output")
	}
}

// TestCancel cancels the run of a call that its client gave up.
func TestCancel(t *testing.T) {
	began := make(chan struct{})
	f := newFake(func(ctx context.Context, _ api.Submission) (*api.Result, error) {
		close(began)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	c := connect(t, f, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if _, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "run_python", Arguments: map[string]any{"code": "wait"}}); err == nil {
		t.Fatal("the call was answered")
	}
	select {
	case id := <-f.canceled:
		if id != "run-1" {
			t.Errorf("%s was canceled", id)
		}
	case <-time.After(10 * time.Second):
		t.Error("the run was not canceled")
	}
}

// TestCached says that nothing was executed.
func TestCached(t *testing.T) {
	c := connect(t, newFake(func(context.Context, api.Submission) (*api.Result, error) { return &api.Result{Cached: true}, nil }), nil)
	if r := call(t, c, "run_python", map[string]any{"code": "..."}); member(r, "cached") != true || !strings.Contains(said(r), "identical earlier run") {
		t.Errorf("the answer is %s", said(r))
	}
}

// TestLabels gives the runs of every tool their labels.
func TestLabels(t *testing.T) {
	f := newCatalog(deployed("price", "", 1))
	_, c := connectService(t, f, nil)
	labels := map[string]any{"customer": "ada"}
	for name, args := range map[string]map[string]any{"run_python": {"code": "1"}, "run_command": {"command": "true"}, "code_mode": {"code": "1"}, "task_run": {"task": "price"}} {
		args["labels"] = labels
		if r := call(t, c, name, args); r.IsError || f.last.Labels["customer"] != "ada" {
			t.Errorf("%s: labels %v, %s", name, f.last.Labels, said(r))
		}
	}
}

// TestBackground returns at once, and run_get has the result.
func TestBackground(t *testing.T) {
	c := connect(t, newFake(printing("done\n")), nil)
	if r := call(t, c, "run_python", map[string]any{"code": "...", "background": true}); member(r, "status") != "running" || member(r, "stdout") != nil {
		t.Errorf("the answer is %s", said(r))
	}
	if r := call(t, c, "run_get", map[string]any{"run": "run-1"}); member(r, "status") != "running" || member(r, "log") != "so far\n" {
		t.Errorf("the run is %s", said(r))
	}
	if r := call(t, c, "run_get", map[string]any{"run": "run-1", "wait_s": 5}); member(r, "status") != "succeeded" || member(r, "stdout") != "done\n" {
		t.Errorf("the run is %s", said(r))
	}
}

// TestProgress tells of stages and lines, not of all of those that come at once,
// and of none after the answer.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []string
		reporter := &reporter{wake: make(chan struct{}, 1), over: make(chan struct{}), send: func(message string, count int) {
			heard = append(heard, fmt.Sprint(count, " ", message))
		}}
		reporter.done.Go(reporter.pass)
		reporter.step(api.Progress{Stage: "build", Message: "numpy", Done: 1, Total: 3})
		synctest.Wait()
		out := reporter.writer()
		for i := range 1000 {
			fmt.Fprintf(out, "line %d\n", i)
		}
		fmt.Fprint(out, strings.Repeat("x", 10_000), "\n")
		time.Sleep(betweenProgress)
		synctest.Wait()
		reporter.stop()
		reporter.say("too late")
		synctest.Wait()
		if want := []string{"1 build: numpy (1 of 3)", "2 " + strings.Repeat("x", maxLine)}; !slices.Equal(heard, want) {
			t.Errorf("the client heard %q", heard)
		}
	})
}

// TestProgressIsSent asks for it as clients do.
func TestProgressIsSent(t *testing.T) {
	heard := make(chan string, 10)
	f := newFake(func(_ context.Context, s api.Submission) (*api.Result, error) {
		s.Progress(api.Progress{Stage: "start"})
		if message := <-heard; message != "start" {
			t.Errorf("heard %q", message)
		}
		return &api.Result{}, nil
	})
	c := connect(t, f, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { heard <- r.Params.Message }})
	p := &mcp.CallToolParams{Name: "run_python", Arguments: map[string]any{"code": "..."}}
	p.SetProgressToken("here")
	if _, err := c.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
}

// TestHintsAreForModels: flags of the command line are no use to them.
func TestHintsAreForModels(t *testing.T) {
	e := api.Errorf(api.CheckFailed, "line 1: nothing is called so").WithHint("skip the check (--no-check)")
	if text := explain(e); strings.Contains(text, "--no-check") || !strings.Contains(text, "hint: correct the lines") || failureOf(e).Hint != hintOf(e) {
		t.Error(text)
	}
	other := api.Errorf(api.BuildFailed, "no").WithHint("another one")
	if text := explain(other); !strings.Contains(text, "hint: another one") {
		t.Error(text)
	}
}
