package engine

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
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

// TestDiskFull (R13) has the disk fill up after each submission: the run fails
// with storage_full and can be resumed when there is space, in the same
// process; no call that succeeded is executed again.
func TestDiskFull(t *testing.T) {
	for name, code := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			full := &filling{Journal: h.journal}
			full.left.Store(plenty)
			e := h.engine("a", full)
			defer e.Close()
			defer decideEarly(t, e)()
			task := inTheWorld(withN(orchestrate(code, anything, idempotent(h.arithmetic())...)))
			inputs := map[string]any{"n": 6}
			before := h.journal.(*memory).changes
			result, err := run1(t, e, task, inputs)
			want := valueFrom(t, result, err)
			for left := range h.journal.(*memory).changes - before {
				full.left.Store(int64(left))
				got := fillUp(t, e, full, api.Submission{Task: task, Inputs: inputs})
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(value.Dict{})); diff != "" {
					t.Errorf("full after %d submissions (-straight +resumed):\n%s", left, diff)
				}
			}
			e.checkRest(t)
			checkAllOf(t, h)
		})
	}
}

// fillUp submits, has it fail, makes space, and resumes.
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
		return valueFrom(t, result, err)
	}
	lost := api.AsError(err)
	if at := lost.Details.Call; lost.Code == api.CallFailed && at != nil { // a decision about it could not be kept
		lost = at.Error
	}
	if lost.Code != api.StorageFull && lost.Code != api.Interrupted {
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
	return valueFrom(t, result, err)
}

// TestNoSnapshotOfWhatIsLost: the disk is full when a call ends, and the code continues with
// its answer to where a snapshot is worth it. The journal may get as many answers as it
// knows, and others, when a person ends the other call before the run resumes. What the
// person says then is not lost either.
func TestNoSnapshotOfWhatIsLost(t *testing.T) {
	h := newHost(t)
	full := &filling{Journal: h.journal}
	full.left.Store(plenty)
	e := h.engine("a", full)
	defer e.Close()
	asked := make(chan struct{})
	h.functions.code["add"] = func(_ context.Context, in map[string]any) (any, error) {
		<-asked
		return in["x"].(int64) + in["y"].(int64), nil
	}
	add := function("add", "x", "y")
	add.Idempotent = true
	code := "work = sum(i % 7 for i in range(300000))\nawait gather(vote(), add(1, 2))"
	run := submit(t, e, api.Submission{Task: orchestrate(code, anything, signalOf("vote"), add)})
	untilWaiting(t, e, 1)
	full.left.Store(0)
	close(asked)
	for range 300 { // in which a snapshot would be there
		if s, err := h.journal.Snapshot(t.Context(), run.ID); s != nil || err != nil {
			t.Fatalf("a snapshot knows %d answers, %v", s.Answered, err)
		}
		time.Sleep(time.Millisecond)
	}
	full.left.Store(plenty)
	if _, err := send(t, e, run.ID, "vote", "100"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Wait(t.Context(), run.ID); err == nil {
		t.Fatal("the run has a result, and the journal has lost a part of it")
	}
	if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	result, err := e.Wait(t.Context(), run.ID)
	if diff := cmp.Diff([]any{int64(100), int64(3)}, valueFrom(t, result, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDiskFullAskedAgain: a submission with the key of a run that the full disk
// interrupted resumes it.
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
	if got := valueFrom(t, result, err); got != int64(3) || first.ID != second.ID {
		t.Errorf("got %v of runs %s and %s", got, first.ID, second.ID)
	}
}

// fullBlobs is a store without space.
type fullBlobs struct {
	blob.Store
	full atomic.Bool
}

func (f *fullBlobs) Import(ctx context.Context, path string, move bool) (blob.Ref, error) {
	if f.full.Load() {
		return blob.Ref{}, api.Errorf(api.StorageFull, "there is no space left")
	}
	return f.Store.Import(ctx, path, move)
}

func (f *fullBlobs) Put(ctx context.Context, r io.Reader, limit int64) (blob.Ref, error) {
	if f.full.Load() {
		return blob.Ref{}, api.Errorf(api.StorageFull, "there is no space left")
	}
	return f.Store.Put(ctx, r, limit)
}

// TestNoRoomForOutputs (R13): a function whose outputs cannot be kept was
// executed all the same. It is tried again only if it is idempotent.
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
			large.Signature.Outputs[0].Type = value.Type{Kind: value.KindStr}
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
			if got := valueFrom(t, result, err); got != int64(1<<20) {
				t.Errorf("got %v", got)
			}
			e.checkRest(t)
		})
	}
}

// TestOutputsWaitForRoom (R13): large outputs and files that find the disk full
// are kept when there is space again, and the task is executed once.
func TestOutputsWaitForRoom(t *testing.T) {
	h := newHost(t)
	c := h.config("a", h.journal)
	h.alive["a"] = true
	blobs := &fullBlobs{Store: h.blobs}
	waits := 0
	c.Blobs = blobs
	c.Space = func(_ context.Context, write func() error) error {
		err := write()
		if api.AsError(err) != nil && api.AsError(err).Code == api.StorageFull {
			waits++
			blobs.full.Store(false)
			err = write()
		}
		return err
	}
	e := New(c)
	defer e.Close()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("bytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	for kind, v := range map[value.Kind]any{value.KindStr: strings.Repeat("x", 1<<20), value.KindFile: value.File{Path: path}} {
		h.functions.code["large"] = func(context.Context, map[string]any) (any, error) {
			blobs.full.Store(true)
			return v, nil
		}
		large := function("large")
		large.Signature.Outputs[0].Type = value.Type{Kind: kind}
		before := h.functions.count("large")
		waits = 0
		run := submit(t, e, api.Submission{Task: orchestrate("large()\n1", integer, large)})
		if result, err := e.Wait(t.Context(), run.ID); err != nil || len(result.Outputs) != 1 {
			t.Errorf("%s: got %+v, %v", kind, result, err)
		}
		if n := h.functions.count("large") - before; n != 1 || waits != 1 {
			t.Errorf("%s: carried out %d times, waited %d times", kind, n, waits)
		}
	}
}
