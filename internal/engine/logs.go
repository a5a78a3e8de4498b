package engine

import (
	"context"
	"errors"
	"io"
	"iter"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine/runlog"
)

func (e *Engine) logPath(id string) string { return filepath.Join(e.config.LogDir, id+".jsonl") }

// Logs yields what a run printed, and with follow what it is going to print. A
// negative after counts from the end.
func (e *Engine) Logs(ctx context.Context, id string, after int64, follow bool) iter.Seq2[api.LogEntry, error] {
	return func(yield func(api.LogEntry, error) bool) {
		rec, err := e.config.Journal.Load(ctx, id)
		if err != nil {
			yield(api.LogEntry{}, journalError(id, err))
			return
		}
		r := runlog.NewReader(e.logPath(id))
		defer r.Close()
		if after < 0 {
			after = max(0, runlog.LastSeq(e.logPath(id))+after)
		}
		r.SkipTo(after)
		for {
			// Whether it has ended is asked before reading: all is written by then.
			w, ended := e.watch(ctx, rec.ID)
			if !yieldLog(r, after, yield) || ended || !follow {
				return
			}
			if err := w.wait(ctx); err != nil {
				yield(api.LogEntry{}, err)
				return
			}
		}
	}
}

// yieldLog yields what there is and reports whether to continue.
func yieldLog(r *runlog.Reader, after int64, yield func(api.LogEntry, error) bool) bool {
	for {
		entry, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return true
		case errors.Is(err, runlog.ErrTorn):
		case err != nil:
			yield(entry, api.Errorf(api.StorageCorrupt, "the log cannot be read: %w", err))
			return false
		case entry.Seq > after && !yield(entry, nil):
			return false
		}
	}
}
