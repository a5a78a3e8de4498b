package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/prune"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/value"
)

func openApp(t testing.TB, home string) *App {
	t.Helper()
	a, err := Open(t.Context(), host.Options{Home: home})
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
	file, dir := value.Type{Kind: value.KindFile}, value.Type{Kind: value.KindDir}
	return &api.Task{
		Name: "keep", Kind: api.KindOrchestrator, Code: "print('kept')\n(file, dir)", Orchestrator: &api.Orchestrator{},
		Signature: api.Signature{
			Inputs:  []value.Param{{Name: "file", Type: file}, {Name: "dir", Type: dir}},
			Outputs: []value.Param{{Name: "both", Type: value.Type{Kind: value.KindTuple, Args: []value.Type{file, dir}}}},
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
	return map[string]any{"file": value.File{Path: filepath.Join(dir, "file")}, "dir": value.Dir{Path: filepath.Join(dir, "dir")}}
}

// outputTexts runs nothing: it reads what a run gave.
func outputTexts(t *testing.T, a *App, id string) []string {
	t.Helper()
	result, err := a.Service().Wait(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, v := range result.Outputs[0].Value.(value.Tuple) {
		path := ""
		switch v := v.(type) {
		case value.File:
			path = v.Path
		case value.Dir:
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
	old := time.Now().Add(-2 * prune.Grace)
	err := filepath.WalkDir(a.Home.Below("blobs"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func pruneOld(t *testing.T, a *App, age time.Duration) api.Pruned {
	t.Helper()
	pruned, err := a.Service().Prune(t.Context(), api.PruneRequest{OlderThan: age})
	if err != nil {
		t.Fatal(err)
	}
	return *pruned
}

// left counts the files and directories of runs, and their logs.
func left(t *testing.T, a *App) (n int) {
	t.Helper()
	for _, dir := range []string{a.Home.Runs(), a.Home.Logs()} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		n += len(entries)
	}
	return n
}

// makeRun makes the output directory of a run that ended age ago.
func makeRun(t *testing.T, dir, name string, age time.Duration) string {
	t.Helper()
	run := filepath.Join(dir, name)
	when := time.Now().Add(-age)
	for _, err := range []error{
		os.MkdirAll(run, 0o700),
		os.WriteFile(filepath.Join(run, "file"), make([]byte, 100), 0o600),
		os.Chtimes(run, when, when),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return run
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestPrune(t *testing.T) {
	a := openApp(t, t.TempDir())
	deployed := api.Task{Name: "add", Kind: api.KindOrchestrator, Code: "1", Orchestrator: &api.Orchestrator{}, Signature: api.Signature{Outputs: []value.Param{{Name: "n", Type: value.Type{Kind: value.KindInt}}}}}
	if _, err := a.Service().Deploy(t.Context(), api.Deployment{Tasks: []api.Task{deployed}}); err != nil {
		t.Fatal(err)
	}
	id := submit(t, a, api.Submission{Task: keepTask(), Inputs: inputFiles(t, "old"), Cache: api.CacheAuto})
	want := []string{"old", "old inside"}
	check := func(when string, pruned, expected api.Pruned) {
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
	check("recent", pruneOld(t, a, time.Hour), api.Pruned{})
	check("no age", pruneOld(t, a, 0), api.Pruned{})
	if diff := cmp.Diff(want, outputTexts(t, a, id)); diff != "" {
		t.Error(diff)
	}

	manifest := int64(len(`{"version":1,"entries":[{"path":"inner","type":"file","sha256":"","size":10}]}`)) + 64
	ageBlobs(t, a)
	check("old", pruneOld(t, a, time.Nanosecond), api.Pruned{
		Runs: api.Removed{Count: 1, Bytes: 1}, Files: api.Removed{Count: 1, Bytes: 0}, Results: 1, Blobs: api.Removed{Count: 3, Bytes: int64(len("old")+len("old inside")) + manifest},
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
	if pruned := pruneOld(t, a, time.Nanosecond); pruned != (api.Pruned{}) {
		t.Errorf("pruned = %+v", pruned)
	}
	ageBlobs(t, a)
	if pruned := pruneOld(t, a, time.Nanosecond); pruned.Blobs.Count != 1 {
		t.Errorf("pruned = %+v", pruned)
	}
	if _, _, err := a.Service().OpenBlob(t.Context(), digest); !errors.Is(err, &api.Error{Code: api.NotFound}) {
		t.Errorf("OpenBlob = %v", err)
	}
}

// A deployed task that never ran, and a template, can still be built after a
// prune.
func TestPruneKeepsBuildContexts(t *testing.T) {
	a := openApp(t, t.TempDir())
	put := func(text string) string {
		digest, _, err := a.Service().PutBlob(t.Context(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return digest
	}
	needed := []string{put("context of a task"), put("context of a template"), put("upload")}
	task := api.Task{Name: "built", Code: "1", Image: api.ImageSpec{Dockerfile: "FROM debian:bookworm\n", Context: needed[0]}}
	if _, err := a.Service().Deploy(t.Context(), api.Deployment{Tasks: []api.Task{task}}); err != nil {
		t.Fatal(err)
	}
	templates := fmt.Sprintf(`{"templates":{"id":{"id":"id","name":"n","tags":{"default":"b"},"builds":{"b":{"id":"b","status":"ready",
		"recipe":{"dockerfile":"FROM a","files":["h"],"context":%q}}}}},"files":{"h":%q}}`, needed[1], needed[2])
	before := a.Home.Below(e2bTemplatesBefore)
	if err := errors.Join(os.MkdirAll(filepath.Dir(before), 0o700), os.WriteFile(before, []byte(templates), 0o600)); err != nil {
		t.Fatal(err)
	}
	put("needed by nobody")
	ageBlobs(t, a)
	if pruned := pruneOld(t, a, time.Nanosecond); pruned.Blobs.Count != 1 {
		t.Errorf("pruned = %+v", pruned)
	}
	if _, err := a.e2bTemplates(); err != nil { // moves them
		t.Fatal(err)
	}
	ageBlobs(t, a)
	if pruned := pruneOld(t, a, time.Nanosecond); pruned.Blobs.Count != 0 {
		t.Errorf("afterwards pruned = %+v", pruned)
	}
	for _, digest := range needed {
		r, _, err := a.Service().OpenBlob(t.Context(), digest)
		if err != nil {
			t.Error(err)
			continue
		}
		r.Close()
	}
}

func TestPruneRemovesLeftovers(t *testing.T) {
	a := openApp(t, t.TempDir())
	for _, dir := range []string{a.Home.Runs(), a.Home.Logs(), a.Home.Downloads()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	downloaded, kept := makeRun(t, a.Home.Downloads(), "run-4", 2*time.Hour), makeRun(t, a.Home.Downloads(), "run-5", time.Minute)
	old, fresh := makeRun(t, a.Home.Runs(), "run-1", 2*time.Hour), makeRun(t, a.Home.Runs(), "run-2", time.Minute)
	growing, foreign := makeRun(t, a.Home.Runs(), "run-3"+".partial", 2*time.Hour), makeRun(t, a.Home.Runs(), "mine", 2*time.Hour)
	log, when := a.Home.Log("run-1"), time.Now().Add(-2*time.Hour)
	if err := errors.Join(os.WriteFile(log, []byte("{}\n"), 0o600), os.Chtimes(log, when, when)); err != nil {
		t.Fatal(err)
	}
	pruned := pruneOld(t, a, time.Hour)
	if exists(old) || exists(log) || !exists(fresh) || !exists(growing) || !exists(foreign) {
		t.Errorf("old %v, its log %v, fresh %v, growing %v, foreign %v", exists(old), exists(log), exists(fresh), exists(growing), exists(foreign))
	}
	if exists(downloaded) || !exists(kept) {
		t.Errorf("what was downloaded: old %v, fresh %v", exists(downloaded), exists(kept))
	}
	if pruned.Files.Count != 2 || pruned.Files.Bytes < 200 {
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
	if pruned := pruneOld(t, second, time.Nanosecond); pruned != (api.Pruned{}) {
		t.Errorf("beside the process: %+v", pruned)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	inputs := makeRun(t, second.Home.Runs(), id+".inputs", time.Hour)
	if pruned := pruneOld(t, second, time.Nanosecond); pruned != (api.Pruned{}) || !exists(inputs) {
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
		if err := os.RemoveAll(apps[0].Home.Runs()); err != nil {
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
