package engine

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
)

// The bounds of the pages that one attempt stores before its last one. Every page
// stays until its run is pruned, so a program that writes many small ones pays for
// each as for a larger one.
const (
	maxPages = 64 << 20 // bytes
	minPage  = 64 << 10 // bytes that one counts at least
)

// reporter returns what keeps the report of an attempt; nil if the task has none.
// Beyond the bounds only the last page counts.
func (r *run) reporter() func(context.Context, io.Reader, bool) error {
	if !r.task.Report {
		return nil
	}
	var stored atomic.Int64
	attempt := r.attemptNumber()
	return func(ctx context.Context, page io.Reader, last bool) error {
		if !last && stored.Load()+minPage > maxPages {
			return nil
		}
		ref, err := r.engine.config.Blobs.Put(ctx, page, api.MaxReport)
		if errors.Is(err, blob.ErrTooLarge) {
			return api.TooLargeReport()
		}
		if err != nil {
			return blob.AsError("the report", err)
		}
		stored.Add(max(ref.Size, minPage))
		r.keepReport(attempt, ref)
		return nil
	}
}

// keepReport records a page that is stored. What comes after the attempt, as from
// a function that was given up, does not count.
func (r *run) keepReport(attempt int, ref blob.Ref) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rec.Status.Ended() || r.rec.Attempts != attempt || r.rec.Report != nil && r.rec.Report.SHA256 == ref.Digest {
		return
	}
	report := api.Report{SHA256: ref.Digest, Size: ref.Size}
	r.rec.Report = &report
	c := r.prepare(event{api.EventReported, api.ReportedData{Attempt: attempt, Report: report}})
	c.Blobs = []string{ref.Digest}
	r.submitted(r.engine.config.Journal.Submit(c))
}
