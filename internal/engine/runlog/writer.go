package runlog

import "io"

// Writer passes on what a run prints, and keeps it. When an attempt is
// replayed, the log has its first bytes already.
type Writer struct {
	Log    *Log
	Stream string
	Next   io.Writer    // may be nil
	Known  int          // bytes that the log has
	Seen   int          // bytes that Next has got before
	Passed *int         // bytes that Next has got, ever
	Shown  func() error // waits until output may be shown
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	if err := w.Shown(); err != nil {
		return 0, err
	}
	known := min(w.Known, len(p))
	w.Known -= known
	w.Log.Add(w.Stream, p[known:])
	if w.Next == nil {
		return len(p), nil
	}
	seen := min(w.Seen, len(p))
	w.Seen -= seen
	if seen == len(p) {
		return len(p), nil
	}
	n, err := w.Next.Write(p[seen:])
	*w.Passed += n
	return seen + n, err
}
