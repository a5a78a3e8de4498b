package scope

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/denied"
	"github.com/glovebox-dev/glovebox/value"
)

var code = api.Task{Name: "code", Code: "x = 1"}

// asking asks for a run in every way in which there is one.
func asking(ctx context.Context, s *Scope, id string) map[string]error {
	asked := map[string]error{"cancel": s.Cancel(ctx, id, "")}
	_, asked["run"] = s.Run(ctx, id)
	_, asked["wait"] = s.Wait(ctx, id)
	_, asked["runs"] = s.Runs(ctx, api.RunQuery{Parent: id})
	_, asked["cache"] = s.ExplainCache(ctx, id)
	_, asked["parent"] = s.Submit(ctx, api.Submission{Task: &code, Parent: id})
	for _, err := range s.Events(ctx, id, 0) {
		asked["events"] = err
	}
	for _, err := range s.Logs(ctx, id, 0, true) {
		asked["logs"] = err
	}
	return asked
}

// A cell sees its own task and those that it gave, and none that was deployed
// (attack C02).
func TestTasksOfRuns(t *testing.T) {
	f := newFake()
	s := f.scope(&api.Task{})
	for _, c := range []struct {
		id      string
		record  api.Run
		allowed bool
	}{
		{s.run, api.Run{Version: "deployed@1"}, true},
		{"child", api.Run{Parent: s.run}, true},
		{"child", api.Run{Parent: s.run, Version: "deployed@1"}, false},
		{"grandchild", api.Run{Parent: "child"}, false},
		{"other", api.Run{Parent: s.run}, false},
	} {
		f.record = &c.record
		task, err := s.RunTask(t.Context(), c.id)
		if !c.allowed {
			wantCode(t, c.id, err, api.Unauthorized)
		} else if err != nil || task.Code != code.Code {
			t.Errorf("%s: got %v, %v", c.id, task, err)
		}
	}
}

// TestOnlyRunsBelow: a cell sees the runs below its own, and no others (attack
// C02). Runs that do not exist get the same error, so that it reveals nothing.
func TestOnlyRunsBelow(t *testing.T) {
	f := newFake()
	s := f.scope(&api.Task{})
	for _, id := range []string{"child", "grandchild"} {
		for how, err := range asking(t.Context(), s, id) {
			if err != nil {
				t.Errorf("%s %s: %v", how, id, err)
			}
		}
	}
	words := map[string]bool{}
	for _, id := range []string{"top", "sibling", "other", "none", "", strings.Repeat("x", 1000)} {
		for how, err := range asking(t.Context(), s, id) {
			if id == "" && how == "parent" {
				continue // its own run
			}
			wantCode(t, how+" "+id, err, api.Unauthorized)
			if how == "run" && id != "" && len(id) < 100 {
				words[strings.ReplaceAll(err.Error(), id, "ID")] = true
			}
		}
	}
	if len(words) != 1 {
		t.Errorf("refusals differ: %v", words)
	}
	for how, err := range asking(t.Context(), s, "me") {
		if own := how == "cancel" || how == "wait" || how == "cache"; own != (err != nil) {
			t.Errorf("%s of its own run: %v", how, err)
		}
	}
	if len(f.canceled) != 2 {
		t.Errorf("canceled %q", f.canceled)
	}
	if _, err := s.Runs(t.Context(), api.RunQuery{Root: "top"}); !errors.Is(err, &api.Error{Code: api.Unauthorized}) {
		t.Errorf("the list of a tree: %v", err)
	}
}

// A chain of runs that leads in a circle ends the search.
func TestParentsInACircle(t *testing.T) {
	f := newFake()
	f.parents["a"], f.parents["b"] = "b", "a"
	_, err := f.scope(&api.Task{}).Run(t.Context(), "a")
	wantCode(t, "a", err, api.Unauthorized)
}

// Everything that was not thought about is refused (attack C04).
func TestEverythingElseIsRefused(t *testing.T) {
	s := newFake().scope(&api.Task{})
	ctx := t.Context()
	for name, ask := range map[string]func() error{
		"Resume":       func() error { _, err := s.Resume(ctx, "child", api.ResumeOptions{}); return err },
		"Approvals":    func() error { _, err := s.Approvals(ctx, api.ApprovalQuery{}); return err },
		"Approval":     func() error { _, err := s.Approval(ctx, "child"); return err },
		"Decide":       func() error { _, err := s.Decide(ctx, "child", api.Decision{Approved: true}); return err },
		"Rerun":        func() error { _, err := s.Rerun(ctx, "child", api.RerunOptions{}); return err },
		"Tasks":        func() error { _, err := s.Tasks(ctx); return err },
		"Rollback":     func() error { _, err := s.Rollback(ctx, "x", 1); return err },
		"Environments": func() error { _, err := s.Environments(ctx); return err },
		"Environment":  func() error { _, err := s.Environment(ctx, "x"); return err },
		"PutTree":      func() error { _, err := s.PutTree(ctx, "/etc"); return err },
		"ExportTree":   func() error { return s.ExportTree(ctx, value.Dir{}, "/tmp/x") },
		"ClearCache":   func() error { _, err := s.ClearCache(ctx, ""); return err },
		"Images":       func() error { _, err := s.Images(ctx); return err },
		"Image":        func() error { _, err := s.Image(ctx, "x"); return err },
		"RemoveTask":   func() error { return s.RemoveTask(ctx, "x") },
		"RemoveImage":  func() error { return s.RemoveImage(ctx, "x") },
		"PushImage":    func() error { _, err := s.PushImage(ctx, "x", "y", "", nil); return err },
		"SetSecret":    func() error { return s.SetSecret(ctx, "x", nil) },
		"Secrets":      func() error { _, err := s.Secrets(ctx); return err },
		"RemoveSecret": func() error { return s.RemoveSecret(ctx, "x") },
		"KeepWarm":     func() error { _, err := s.KeepWarm(ctx, api.WarmRequest{}); return err },
		"Prune":        func() error { _, err := s.Prune(ctx, api.PruneRequest{}); return err },
		"Retention":    func() error { _, err := s.Retention(ctx); return err },
		"Doctor":       func() error { _, err := s.Doctor(ctx, false); return err },
		"Cells":        func() error { _, err := s.Cells(ctx); return err },
		"WarmPools":    func() error { _, err := s.WarmPools(ctx); return err },
		"Nodes":        func() error { _, err := s.Nodes(ctx); return err },
		"DrainNode":    func() error { return s.DrainNode(ctx, "x") },
		"Workers":      func() error { _, err := s.Workers(ctx); return err },
	} {
		wantCode(t, name, ask(), api.Unauthorized)
	}
}

// TestDeniedIsWhole holds that what a scope rests on refuses every method of the
// interface.
func TestDeniedIsWhole(t *testing.T) {
	service := reflect.TypeFor[api.Service]()
	ctx := reflect.ValueOf(t.Context())
	for i := range service.NumMethod() {
		name := service.Method(i).Name
		if name == "Close" {
			continue
		}
		method := reflect.ValueOf(denied.Service{Refuse: deny}).MethodByName(name)
		args := []reflect.Value{ctx}
		for i := 1; i < method.Type().NumIn(); i++ {
			args = append(args, reflect.Zero(method.Type().In(i)))
		}
		out := method.Call(args)
		last := out[len(out)-1]
		if last.Kind() == reflect.Func { // a stream
			for _, e := range last.Seq2() {
				last = e
			}
		}
		err, _ := last.Interface().(error)
		wantCode(t, name, err, api.Unauthorized)
	}
}

func TestSubmit(t *testing.T) {
	f := newFake()
	s := f.scope(&api.Task{})
	for _, parent := range []string{"", "me", "grandchild"} {
		run, err := s.Submit(t.Context(), api.Submission{Task: &code, Parent: parent, IdempotencyKey: "k"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Wait(t.Context(), run.ID); err != nil {
			t.Errorf("its own run: %v", err)
		}
	}
	got := f.submitted
	if got[0].Parent != "me" || got[1].Parent != "me" || got[2].Parent != "grandchild" {
		t.Errorf("submitted %+v", got)
	}
	if key := got[0].IdempotencyKey; key == "k" || key != got[1].IdempotencyKey {
		t.Errorf("keys %q and %q", key, got[1].IdempotencyKey)
	}
	other := f.scope(&api.Task{})
	if _, err := other.Submit(t.Context(), api.Submission{Task: &code, IdempotencyKey: "k"}); err != nil {
		t.Fatal(err)
	}
	if f.submitted[3].IdempotencyKey == got[0].IdempotencyKey {
		t.Error("two attempts share a key")
	}
	if _, err := s.Submit(t.Context(), api.Submission{}); !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
		t.Errorf("nothing at all: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := s.Submit(t.Context(), api.Submission{Task: &code})
	wantCode(t, "after the end", err, api.Conflict)
	_, err = s.Deploy(t.Context(), api.Deployment{})
	wantCode(t, "after the end", err, api.Conflict)
}

// A task that calls itself without end comes to one (attack C06).
func TestDepth(t *testing.T) {
	f := newFake()
	above := ""
	for i := range maxDepth + 1 {
		id := fmt.Sprintf("deep-%d", i)
		f.parents[id], above = above, id
		s := New(Engine{Service: f, ParentOf: f.parentOf}, id, &api.Task{})
		_, err := s.Submit(t.Context(), api.Submission{Task: &code})
		if i < maxDepth && err != nil {
			t.Errorf("%d deep: %v", i, err)
		}
		if i == maxDepth {
			wantCode(t, "too deep", err, api.LimitExceeded)
		}
	}
}

// Everything that is handed over is charged before it is kept (attack C06).
func TestBudget(t *testing.T) {
	f := newFake()
	limit := int64(3 * startCost)
	s := f.scope(&api.Task{Limits: api.RunLimits{Outputs: limit}})
	endless := strings.NewReader(strings.Repeat("x", int(2*limit)))
	_, _, err := s.PutBlob(t.Context(), endless)
	wantCode(t, "a giant blob", err, api.LimitExceeded)
	if len(f.blobs) != 0 || int64(endless.Len()) < limit-1<<20 {
		t.Errorf("%d blobs are kept", len(f.blobs))
	}
	s = f.scope(&api.Task{Limits: api.RunLimits{Outputs: limit}})
	if _, _, err := s.PutBlob(t.Context(), strings.NewReader("fits")); err != nil {
		t.Error(err)
	}
	started := 0
	for ; ; started++ {
		if _, err = s.Submit(t.Context(), api.Submission{Task: &code}); err != nil {
			break
		}
	}
	wantCode(t, "one run too many", err, api.LimitExceeded)
	if started != 2 || len(f.submitted) != 2 {
		t.Errorf("%d runs were started", started)
	}
	s = f.scope(&api.Task{Limits: api.RunLimits{Outputs: limit}})
	long := api.Task{Code: "x", Signature: api.Signature{Inputs: []value.Param{{Name: "text", Type: value.Type{Kind: value.KindStr}}}}}
	_, err = s.Submit(t.Context(), api.Submission{Task: &long, Inputs: map[string]any{"text": strings.Repeat("x", int(limit))}})
	wantCode(t, "a long input", err, api.LimitExceeded)
	_, err = s.Submit(t.Context(), api.Submission{Task: &long, Checked: checked(t, &long, map[string]any{"text": strings.Repeat("x", int(limit))})})
	wantCode(t, "a long input, checked", err, api.LimitExceeded)
	_, err = s.Deploy(t.Context(), api.Deployment{Source: strings.Repeat("x", int(limit))})
	wantCode(t, "a long deployment", err, api.LimitExceeded)
}

// checked are inputs as a server decodes them.
func checked(t *testing.T, task *api.Task, given map[string]any) value.Fields {
	t.Helper()
	f, err := value.Check(task.Signature.Inputs, given)
	if err != nil {
		t.Fatal(err)
	}
	return f.Written()
}

// Files count as often as they are laid out, by their real sizes (attack C06).
func TestFilesCountAsOftenAsTheyAreThere(t *testing.T) {
	f := newFake()
	digest := f.put(strings.Repeat("x", 1000))
	f.trees["tree"] = 100_000
	s := f.scope(&api.Task{Resources: api.Resources{Disk: 10_000}})
	files, err := value.ParseType("list[File]")
	if err != nil {
		t.Fatal(err)
	}
	dir := value.Type{Kind: value.KindDir}
	task := &api.Task{Code: "x", Signature: api.Signature{Inputs: []value.Param{{Name: "files", Type: files}}}}
	file := value.File{Path: "a", SHA256: digest, Size: 1}
	if _, err := s.Submit(t.Context(), api.Submission{Task: task, Inputs: map[string]any{"files": slices.Repeat([]any{file}, 10)}}); err != nil {
		t.Errorf("as much as fits: %v", err)
	}
	_, err = s.Submit(t.Context(), api.Submission{Task: task, Inputs: map[string]any{"files": slices.Repeat([]any{file}, 11)}})
	wantCode(t, "more", err, api.LimitExceeded)
	more := checked(t, task, map[string]any{"files": slices.Repeat([]any{file}, 11)})
	_, err = s.Submit(t.Context(), api.Submission{Task: task, Checked: more, Inputs: map[string]any{"files": []any{}}})
	wantCode(t, "more, checked", err, api.LimitExceeded)
	task = &api.Task{Code: "x", Signature: api.Signature{Inputs: []value.Param{{Name: "dir", Type: dir}}}}
	_, err = s.Submit(t.Context(), api.Submission{Task: task, Inputs: map[string]any{"dir": value.Dir{Path: "d", SHA256: "tree"}}})
	wantCode(t, "a directory that grows", err, api.LimitExceeded)
	param, err := task.Signature.Inputs[0].WithDefault(value.Dir{Path: "d", SHA256: "tree"})
	if err != nil {
		t.Fatal(err)
	}
	task.Signature.Inputs[0] = param
	_, err = s.Submit(t.Context(), api.Submission{Task: task})
	wantCode(t, "the same as a default", err, api.LimitExceeded)
}

// TestCacheTellsNothingOfOthers hides the runs of others from a cell.
func TestCacheTellsNothingOfOthers(t *testing.T) {
	explained, err := newFake().scope(&api.Task{}).ExplainCache(t.Context(), "child")
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%+v", explained); strings.Contains(text, "secret-run") {
		t.Errorf("got %s", text)
	}
}

func TestBlobsByDigest(t *testing.T) {
	f := newFake()
	s := f.scope(&api.Task{})
	digest, size, err := s.PutBlob(t.Context(), strings.NewReader("bytes"))
	if err != nil || size != 5 {
		t.Fatalf("%d bytes: %v", size, err)
	}
	r, _, err := s.OpenBlob(t.Context(), digest)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if data, _ := io.ReadAll(r); string(data) != "bytes" {
		t.Errorf("got %q", data)
	}
}
