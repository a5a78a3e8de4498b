//go:build linux

package glovebox_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// TestSameAnswers does the same in this process, by a server on a socket and by
// one on TCP with a token. All that can be known of a run afterwards is equal,
// but for ids, times and the places of files.
func TestSameAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("does everything in three places: run without -short")
	}
	all := assignments(t)
	want := transcripts(t, openHere(t), all)
	for name, open := range map[string]func(*testing.T) *glovebox.Glovebox{"socket": dialServer, "tcp": dialTCP} {
		possible := slices.DeleteFunc(slices.Clone(all), func(a assignment) bool { return a.shared && name == "tcp" })
		t.Run(name, func(t *testing.T) {
			got := transcripts(t, open(t), possible)
			for _, a := range possible {
				if diff := cmp.Diff(want[a.name], got[a.name]); diff != "" {
					t.Errorf("%s (-here +server):\n%s", a.name, diff)
				}
			}
		})
	}
}

// assignment is something to do. want is the code of the error that it ends
// with; empty means that it succeeds.
type assignment struct {
	name   string
	want   api.Code
	task   glovebox.Task
	inputs glovebox.Values
	cells  bool
	shared bool // it names a file of this host that the server would have to read itself
}

// transcripts executes all assignments, each twice: the second time the cache
// may answer.
func transcripts(t *testing.T, gb *glovebox.Glovebox, list []assignment) map[string][]string {
	all := map[string][]string{}
	for _, a := range list {
		if a.cells && !realCells {
			continue
		}
		s := &script{t: t, gb: gb}
		for range 2 {
			if err := s.execute(a); !errors.Is(err, &api.Error{Code: a.want}) && (err != nil || a.want != "") {
				t.Errorf("%s: got %v, want %q", a.name, err, a.want)
			}
		}
		all[a.name] = strings.Split(anonymous(s.text.String()), "\n")
	}
	return all
}

// script takes down what can be known of runs.
type script struct {
	t    *testing.T
	gb   *glovebox.Glovebox
	text bytes.Buffer
}

func (s *script) note(what string, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	fmt.Fprintf(&s.text, "%s: %s\n", what, bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd"))) // the same character
}

func (s *script) execute(a assignment) error {
	var stdout, stderr bytes.Buffer
	ctx := s.t.Context()
	run, err := s.gb.Start(ctx, a.task, a.inputs, glovebox.WithStdout(&stdout), glovebox.WithStderr(&stderr))
	s.note("refusal", api.AsError(err))
	if err != nil {
		return err
	}
	result, err := run.Wait(ctx)
	s.note("error", api.AsError(err))
	s.note("streams", []string{stdout.String(), stderr.String()})
	s.note("kept", []string{string(result.Stdout), string(result.Stderr)})
	s.note("result", []any{result.RunID == run.ID(), result.ExitCode, result.Image, result.Cached, result.Attempts, result.Network})
	for _, out := range result.Outputs {
		s.output(out)
	}
	s.record(run)
	return err
}

// output notes a value, with the contents of what it names on this host.
func (s *script) output(out api.Output) {
	value, err := value.EncodeJSON(out.Type, out.Value)
	if err != nil {
		s.t.Error(err)
	}
	s.note(out.Name+" "+out.Type.String(), json.RawMessage(value))
	path := ""
	switch v := out.Value.(type) {
	case glovebox.File:
		path = v.Path
	case glovebox.Dir:
		path = v.Path
	case glovebox.DataFrame:
		path = v.Path
	}
	if path == "" {
		return
	}
	err = filepath.Walk(path, func(p string, info os.FileInfo, err error) error {
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		text, err := os.ReadFile(p)
		s.note(strings.TrimPrefix(p, filepath.Dir(path)), string(text))
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
}

// record notes what is kept of a run, and of its calls.
func (s *script) record(run *glovebox.Run) {
	ctx := s.t.Context()
	info, err := run.Info(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	s.note("run", info)
	for event, err := range run.Events(ctx) {
		if err != nil {
			s.t.Fatal(err)
		}
		if event.Seq > 0 {
			s.note("event", event)
		}
	}
	logs := map[string]string{} // a stream may come in any pieces
	for entry, err := range run.Logs(ctx, false) {
		if err != nil {
			s.t.Fatal(err)
		}
		logs[entry.Stream] += string(entry.Bytes())
	}
	s.note("logs", logs)
	cache, err := s.gb.Service().ExplainCache(ctx, run.ID())
	if err != nil {
		s.t.Error(err)
	}
	s.note("cache", cache)
	calls, err := run.Calls(ctx)
	if err != nil {
		s.t.Error(err)
	}
	for _, call := range calls {
		s.note("call", call)
	}
}

// variable is what no two runs have in common.
var variable = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`run-[0-9a-v]{10,}`), "RUN"},
	{regexp.MustCompile(`"(time|created|started|ended)":"[^"]*",?`), ""},
	{regexp.MustCompile(`,"samples":\[.*?\]`), ""}, // whether a short run is seen at work is a matter of time
	{regexp.MustCompile(`"(\w+_ns|peak_memory|peak|fence)":\d+`), "$1"},
	{regexp.MustCompile(`trying again in [0-9.]+m?s`), "trying again"},
	{regexp.MustCompile(`"owner":"[^"]*"`), "owner"},
	{regexp.MustCompile(`,?"idempotency_key":"client-[^"]*"`), ""}, // with which a client repeats requests
	{regexp.MustCompile(`,?"warm":true`), ""},                      // whether a cell was ready is a matter of time
	{regexp.MustCompile(`"path":"[^"]*/`), `"path":"`},
}

func anonymous(text string) string {
	for _, v := range variable {
		text = v.pattern.ReplaceAllString(text, v.instead)
	}
	return text
}
