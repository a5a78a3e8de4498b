package engine

import (
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// filling is a journal on a disk that is full after a number of submissions,
// until there is space again.
type filling struct {
	journal.Journal
	left atomic.Int64
}

const plenty = 1 << 40

func (f *filling) Submit(changes ...journal.Change) journal.Receipt {
	if f.left.Add(-1) < 0 {
		return done{api.Errorf(api.StorageFull, "there is no space left")}
	}
	return f.Journal.Submit(changes...)
}

// TestDiskFull (R13) has the disk fill up after each submission: the run says
// storage_full and can be gone on with when there is space, in the same process;
// no call that succeeded is done again.
func TestDiskFull(t *testing.T) {
	for name, code := range programs {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			full := &filling{Journal: h.journal}
			full.left.Store(plenty)
			e := h.engine("a", full)
			defer e.Close()
			task := inTheWorld(withN(orchestrate(code, anything, idempotent(h.arithmetic())...)))
			inputs := map[string]any{"n": 6}
			before := h.journal.(*memory).changes
			result, err := run1(t, e, task, inputs)
			want := value(t, result, err)
			for left := range h.journal.(*memory).changes - before {
				full.left.Store(int64(left))
				got := fillUp(t, e, full, api.Submission{Task: task, Inputs: inputs})
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(api.Dict{})); diff != "" {
					t.Errorf("full after %d submissions (-straight +resumed):\n%s", left, diff)
				}
			}
			e.checkRest(t)
			checkAllOf(t, h)
		})
	}
}

// fillUp submits, has it fail, makes space, and goes on.
func fillUp(t *testing.T, e *Engine, full *filling, s api.Submission) any {
	t.Helper()
	run, err := e.Submit(t.Context(), s)
	if err != nil {
		if api.AsError(err).Code != api.StorageFull {
			t.Errorf("submit: %v", err)
		}
		full.left.Store(plenty)
		run = submit(t, e, s)
	}
	result, err := e.Wait(t.Context(), run.ID)
	full.left.Store(plenty)
	if err == nil {
		return value(t, result, err)
	}
	if code := api.AsError(err).Code; code != api.StorageFull && code != api.Interrupted {
		t.Errorf("the run failed: %v", err)
	}
	if shown, err := e.Run(t.Context(), run.ID); err != nil || shown.Status != api.StatusInterrupted {
		t.Errorf("the run is shown as %s, %v", shown.Status, err)
	}
	if _, err := e.Wait(t.Context(), run.ID); api.AsError(err).Code != api.Interrupted {
		t.Errorf("waiting for a run that nobody carries out: %v", err)
	}
	if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
		t.Fatalf("resume: %v", err)
	}
	result, err = e.Wait(t.Context(), run.ID)
	return value(t, result, err)
}

// A key asks for the run that the full disk interrupted, and goes on with it.
func TestDiskFullAskedAgain(t *testing.T) {
	h := newHost(t)
	full := &filling{Journal: h.journal}
	e := h.engine("a", full)
	defer e.Close()
	full.left.Store(2)
	s := api.Submission{Task: orchestrate("add(1, add(1, 1))", integer, idempotent(h.arithmetic())[0]), IdempotencyKey: "k"}
	first := submit(t, e, s)
	if _, err := e.Wait(t.Context(), first.ID); api.AsError(err).Code != api.StorageFull && api.AsError(err).Code != api.Interrupted {
		t.Fatalf("got %v", err)
	}
	full.left.Store(plenty)
	second := submit(t, e, s)
	result, err := e.Wait(t.Context(), second.ID)
	if got := value(t, result, err); got != int64(3) || first.ID != second.ID {
		t.Errorf("got %v of runs %s and %s", got, first.ID, second.ID)
	}
}

// fullBlobs is a store without space.
type fullBlobs struct {
	blob.Store
	full atomic.Bool
}

func (f *fullBlobs) Put(ctx context.Context, r io.Reader, limit int64) (blob.Ref, error) {
	if f.full.Load() {
		return blob.Ref{}, api.Errorf(api.StorageFull, "there is no space left")
	}
	return f.Store.Put(ctx, r, limit)
}

// TestNoRoomForOutputs (R13): a function whose outputs cannot be kept was
// carried out all the same. It is not tried again unless that does no harm.
func TestNoRoomForOutputs(t *testing.T) {
	for _, idempotent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := newHost(t)
			c := h.config("a", h.journal)
			h.alive["a"] = true
			blobs := &fullBlobs{Store: h.blobs}
			c.Blobs = blobs
			e := New(c)
			defer e.Close()
			h.functions.code["large"] = func(context.Context, map[string]any) (any, error) { return strings.Repeat("x", 1<<20), nil }
			large := function("large")
			large.Signature.Outputs[0].Type = api.Type{Kind: api.KindStr}
			large.Idempotent, large.Retries = idempotent, 1
			task := orchestrate("len(large())", integer, large)
			blobs.full.Store(true)
			run := submit(t, e, api.Submission{Task: task})
			_, err := e.Wait(t.Context(), run.ID)
			want, tries := api.OutcomeUnknown, 1
			if idempotent {
				want, tries = api.CallFailed, 4 // one as the task asks, and two on the engine's own account
			}
			if failure := api.AsError(err); failure.Code != want || failure.Details.Call.Error.Code != api.StorageFull || h.functions.count("large") != tries {
				t.Errorf("idempotent %v: %+v, carried out %d times, want %s, %d", idempotent, failure, h.functions.count("large"), want, tries)
			}
			blobs.full.Store(false)
			if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{RetryUnknown: true}); err != nil {
				t.Fatal(err)
			}
			result, err := e.Wait(t.Context(), run.ID)
			if got := value(t, result, err); got != int64(1<<20) {
				t.Errorf("got %v", got)
			}
			e.checkRest(t)
		})
	}
}
