package engine

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

type reporter = func(context.Context, io.Reader, bool) error

// reporting returns a task with a report, whose function does f.
func reporting(h *host, f func(ctx context.Context, keep reporter) error) api.Task {
	task := function("shown")
	task.Report = true
	h.functions.code["shown"] = func(ctx context.Context, _ map[string]any) (any, error) {
		keep, _ := ctx.Value(theReport{}).(reporter)
		return int64(1), f(ctx, keep)
	}
	return task
}

// pageOf reads the report of a run; "" for none.
func pageOf(t *testing.T, e *Engine, id string) string {
	t.Helper()
	run, err := e.Run(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if run.Report == nil {
		return ""
	}
	from, size, err := e.config.Blobs.Open(t.Context(), run.Report.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	text, err := io.ReadAll(from)
	if err != nil || size != run.Report.Size {
		t.Fatalf("%d bytes, the record says %d: %v", size, run.Report.Size, err)
	}
	return string(text)
}

// referring is a journal that knows the blobs to which changes referred.
type referring struct {
	journal.Journal
	mu    sync.Mutex
	blobs []string
}

func (r *referring) Submit(changes ...journal.Change) journal.Receipt {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range changes {
		r.blobs = append(r.blobs, c.Blobs...)
	}
	return r.Journal.Submit(changes...)
}

func (r *referring) has(digest string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.blobs, digest)
}

// TestReport: a page is there while the function runs, the next one takes its place,
// it is kept of a run that failed, and later ones do not count.
func TestReport(t *testing.T) {
	for name, failure := range map[string]error{"succeeds": nil, "fails": errors.New("no")} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			j := &referring{Journal: h.journal}
			e := h.engine("one", j)
			defer e.Close()
			var during string
			var late reporter
			task := reporting(h, func(ctx context.Context, keep reporter) error {
				late = keep
				id := ctx.Value(theRun{}).(string)
				if err := keep(ctx, strings.NewReader("first"), false); err != nil {
					t.Error(err)
				}
				if err := e.liveRun(id).settled(ctx); err != nil {
					t.Error(err)
				}
				during = pageOf(t, e, id)
				if err := keep(ctx, strings.NewReader("second"), true); err != nil {
					t.Error(err)
				}
				return failure
			})
			result, err := run1(t, e, &task, nil)
			if (err != nil) != (failure != nil) {
				t.Fatal(err)
			}
			if err := late(t.Context(), strings.NewReader("third"), true); err != nil {
				t.Error(err)
			}
			if got := pageOf(t, e, result.RunID); during != "first" || got != "second" {
				t.Errorf("during the run %q, at its end %q", during, got)
			}
			if got := countEvents(t, e, result.RunID, api.EventReported); got != 2 {
				t.Errorf("%d events, want 2", got)
			}
			run, err := e.Run(t.Context(), result.RunID)
			if err != nil || !j.has(run.Report.SHA256) {
				t.Errorf("the journal does not refer to the report (%v): it would be collected", err)
			}
		})
	}
}

func countEvents(t *testing.T, e *Engine, id string, kind api.EventKind) (n int) {
	t.Helper()
	events, err := e.config.Journal.Events(t.Context(), id, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range events {
		if event.Kind == kind {
			n++
		}
	}
	return n
}

// TestReportIsBounded: beyond the size it is refused, beyond the number of pages only
// the last one is stored, and a task without a report has none.
func TestReportIsBounded(t *testing.T) {
	h := newHost(t)
	e := h.engine("one", nil)
	defer e.Close()
	const written = maxPages/api.MaxReport + 5
	page := func(i int) string { return strconv.Itoa(i) + strings.Repeat("x", api.MaxReport-len(strconv.Itoa(i))) }
	task := reporting(h, func(ctx context.Context, keep reporter) error {
		err := keep(ctx, io.LimitReader(zeros{}, api.MaxReport+1), true)
		if api.AsError(err).Code != api.OutputTooLarge {
			t.Errorf("a page that is too large: %v", err)
		}
		for i := range written {
			if err := keep(ctx, strings.NewReader(page(i)), i == written-1); err != nil {
				t.Error(err)
			}
		}
		return nil
	})
	result, err := run1(t, e, &task, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := pageOf(t, e, result.RunID); got != page(written-1) {
		t.Errorf("the report begins with %.20q, want the last", got)
	}
	if got, want := countEvents(t, e, result.RunID, api.EventReported), maxPages/api.MaxReport+1; got != want {
		t.Errorf("%d pages were stored, want %d", got, want)
	}
	task = reporting(h, func(_ context.Context, keep reporter) error {
		if keep != nil {
			t.Error("a task without a report can write one")
		}
		return nil
	})
	task.Report = false
	if result, err = run1(t, e, &task, nil); err != nil || pageOf(t, e, result.RunID) != "" {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestReportOfAnEarlierRun: a call that is answered by an earlier one has its report.
func TestReportOfAnEarlierRun(t *testing.T) {
	h := newHost(t)
	e := h.engine("one", nil)
	defer e.Close()
	tool := reporting(h, func(ctx context.Context, keep reporter) error { return keep(ctx, strings.NewReader("page"), true) })
	first, err := run1(t, e, orchestrate("shown()", anything, tool), nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := e.Rerun(t.Context(), first.RunID, api.RerunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Wait(t.Context(), again.ID); err != nil {
		t.Fatal(err)
	}
	calls, err := e.config.Journal.Calls(t.Context(), again.ID)
	if err != nil || len(calls) != 1 {
		t.Fatal(len(calls), err)
	}
	got := []any{h.functions.count("shown"), calls[0].Cached, pageOf(t, e, calls[0].ID)}
	if diff := cmp.Diff([]any{1, true, "page"}, got); diff != "" {
		t.Error(diff)
	}
}
