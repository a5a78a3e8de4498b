package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker"
)

func openApp(t *testing.T, home string) *App {
	t.Helper()
	a, err := Open(t.Context(), Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return a
}

// keepTask gives the files that it gets, and prints.
func keepTask() *api.Task {
	file, dir := api.Type{Kind: api.KindFile}, api.Type{Kind: api.KindDir}
	return &api.Task{
		Name: "keep", Kind: api.KindOrchestrator, Code: "print('kept')\n(file, dir)", Orchestrator: &api.Orchestrator{},
		Signature: api.Signature{
			Inputs:  []api.Param{{Name: "file", Type: file}, {Name: "dir", Type: dir}},
			Outputs: []api.Param{{Name: "both", Type: api.Type{Kind: api.KindTuple, Args: []api.Type{file, dir}}}},
		},
	}
}

// inputFiles are a file and a directory that hold the text.
func inputFiles(t *testing.T, text string) map[string]any {
	t.Helper()
	dir := t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, "file"), []byte(text), 0o600),
		os.Mkdir(filepath.Join(dir, "dir"), 0o700),
		os.WriteFile(filepath.Join(dir, "dir", "inner"), []byte(text+" inside"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string]any{"file": api.File{Path: filepath.Join(dir, "file")}, "dir": api.Dir{Path: filepath.Join(dir, "dir")}}
}

// outputTexts runs nothing: it reads what a run gave.
func outputTexts(t *testing.T, a *App, id string) []string {
	t.Helper()
	result, err := a.Service().Wait(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, v := range result.Outputs[0].Value.(api.Tuple) {
		path := ""
		switch v := v.(type) {
		case api.File:
			path = v.Path
		case api.Dir:
			path = filepath.Join(v.Path, "inner")
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

func submit(t *testing.T, a *App, s api.Submission) string {
	t.Helper()
	run, err := a.Service().Submit(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return run.ID
}

// ageBlobs makes all blobs older than the grace of those that nothing needs.
func ageBlobs(t *testing.T, a *App) {
	t.Helper()
	old := time.Now().Add(-2 * blobGrace)
	err := filepath.WalkDir(a.below("blobs"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func prune(t *testing.T, a *App, age time.Duration) Pruned {
	t.Helper()
	pruned, err := a.Prune(t.Context(), 0, age)
	if err != nil {
		t.Fatal(err)
	}
	return pruned
}

// left counts the files and directories of runs, and their logs.
func left(t *testing.T, a *App) (n int) {
	t.Helper()
	for _, dir := range []string{a.runs(), a.logs()} {
		if err := eachRun(dir, func(string, fs.DirEntry) error { n++; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestPrune(t *testing.T) {
	a := openApp(t, t.TempDir())
	deployed := api.Task{Name: "add", Kind: api.KindOrchestrator, Code: "1", Orchestrator: &api.Orchestrator{}, Signature: api.Signature{Outputs: []api.Param{{Name: "n", Type: api.Type{Kind: api.KindInt}}}}}
	if _, err := a.Service().Deploy(t.Context(), api.Deployment{Tasks: []api.Task{deployed}}); err != nil {
		t.Fatal(err)
	}
	id := submit(t, a, api.Submission{Task: keepTask(), Inputs: inputFiles(t, "old"), Cache: api.CacheAuto})
	want := []string{"old", "old inside"}
	check := func(when string, pruned, expected Pruned) {
		t.Helper()
		pruned.Runs.Bytes, expected.Runs.Bytes = min(pruned.Runs.Bytes, 1), min(expected.Runs.Bytes, 1) // times in logs vary
		if diff := cmp.Diff(expected, pruned); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	if diff := cmp.Diff(want, outputTexts(t, a, id)); diff != "" {
		t.Fatal(diff)
	}

	ageBlobs(t, a)
	check("recent", prune(t, a, time.Hour), Pruned{})
	check("no age", prune(t, a, 0), Pruned{})
	if diff := cmp.Diff(want, outputTexts(t, a, id)); diff != "" {
		t.Error(diff)
	}

	manifest := int64(len(`{"version":1,"entries":[{"path":"inner","type":"file","sha256":"","size":10}]}`)) + 64
	ageBlobs(t, a)
	check("old", prune(t, a, time.Nanosecond), Pruned{
		Runs: Removed{1, 1}, Files: Removed{1, 0}, Results: 1, Blobs: Removed{3, int64(len("old")+len("old inside")) + manifest},
	})
	if _, err := a.Service().Run(t.Context(), id); !errors.Is(err, &api.Error{Code: api.NotFound}) {
		t.Errorf("the run is still there: %v", err)
	}
	if n := left(t, a); n > 0 {
		t.Errorf("%d directories or logs of runs are left", n)
	}
	if _, err := a.Service().Task(t.Context(), "add"); err != nil {
		t.Errorf("the deployed task: %v", err)
	}
}

func TestPruneKeepsRecentBlobs(t *testing.T) {
	a := openApp(t, t.TempDir())
	digest, _, err := a.Service().PutBlob(t.Context(), strings.NewReader("uploaded, and not submitted yet"))
	if err != nil {
		t.Fatal(err)
	}
	if pruned := prune(t, a, time.Nanosecond); pruned != (Pruned{}) {
		t.Errorf("pruned = %+v", pruned)
	}
	ageBlobs(t, a)
	if pruned := prune(t, a, time.Nanosecond); pruned.Blobs.Count != 1 {
		t.Errorf("pruned = %+v", pruned)
	}
	if _, _, err := a.Service().OpenBlob(t.Context(), digest); !errors.Is(err, &api.Error{Code: api.NotFound}) {
		t.Errorf("OpenBlob = %v", err)
	}
}

func TestPruneRemovesLeftovers(t *testing.T) {
	a := openApp(t, t.TempDir())
	for _, dir := range []string{a.runs(), a.logs()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	old, fresh := makeRun(t, a.runs(), "run-1", 2*time.Hour), makeRun(t, a.runs(), "run-2", time.Minute)
	growing, foreign := makeRun(t, a.runs(), "run-3"+partialRun, 2*time.Hour), makeRun(t, a.runs(), "mine", 2*time.Hour)
	log, when := a.logPath("run-1"), time.Now().Add(-2*time.Hour)
	if err := errors.Join(os.WriteFile(log, []byte("{}\n"), 0o600), os.Chtimes(log, when, when)); err != nil {
		t.Fatal(err)
	}
	pruned := prune(t, a, time.Hour)
	if exists(old) || exists(log) || !exists(fresh) || !exists(growing) || !exists(foreign) {
		t.Errorf("old %v, its log %v, fresh %v, growing %v, foreign %v", exists(old), exists(log), exists(fresh), exists(growing), exists(foreign))
	}
	if pruned.Files.Count != 1 || pruned.Files.Bytes < 100 {
		t.Errorf("pruned = %+v", pruned)
	}
}

// TestPruneLeavesUnfinishedRuns prunes beside a process that carries out a run,
// and again when that process is gone.
func TestPruneLeavesUnfinishedRuns(t *testing.T) {
	home := t.TempDir()
	tool := api.Task{Name: "wait", Kind: api.KindFunction, Function: &api.Function{ID: "wait"}}
	task := keepTask()
	task.Code, task.Orchestrator.Tools = "wait()\n"+task.Code, []api.Task{tool}

	first := openApp(t, home)
	started := make(chan struct{})
	if _, err := first.Functions().Register(tool, func(ctx context.Context, _ worker.Invocation) (map[string]any, error) {
		close(started)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}); err != nil {
		t.Fatal(err)
	}
	id := submit(t, first, api.Submission{Task: task, Inputs: inputFiles(t, "needed")})
	<-started
	second := openApp(t, home)
	ageBlobs(t, second)
	if pruned := prune(t, second, time.Nanosecond); pruned != (Pruned{}) {
		t.Errorf("beside the process: %+v", pruned)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	inputs := makeRun(t, second.runs(), id+inputsRun, time.Hour)
	if pruned := prune(t, second, time.Nanosecond); pruned != (Pruned{}) || !exists(inputs) {
		t.Errorf("after the process: %+v", pruned)
	}

	if _, err := second.Functions().Register(tool, func(context.Context, worker.Invocation) (map[string]any, error) { return nil, nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Service().Resume(t.Context(), id, api.ResumeOptions{RetryUnknown: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"needed", "needed inside"}, outputTexts(t, second, id)); diff != "" {
		t.Error(diff)
	}
}

// TestOutputsAreLaidOutOnce has several processes ask for the same files, which
// prune had removed.
func TestOutputsAreLaidOutOnce(t *testing.T) {
	home := t.TempDir()
	apps := []*App{openApp(t, home), openApp(t, home)}
	id := submit(t, apps[0], api.Submission{Task: keepTask(), Inputs: inputFiles(t, "same")})
	for range 20 {
		outputTexts(t, apps[0], id)
		if err := os.RemoveAll(apps[0].runs()); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				if _, err := apps[i%2].Service().Wait(t.Context(), id); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if diff := cmp.Diff([]string{"same", "same inside"}, outputTexts(t, apps[1], id)); diff != "" {
			t.Fatal(diff)
		}
	}
}
