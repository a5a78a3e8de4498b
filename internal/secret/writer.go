package secret

import (
	"bytes"
	"io"
)

// Writer takes secrets out of a stream. Positions count from its beginning.
type Writer struct {
	redactor *Redactor
	w        io.Writer
	readings []reading
	held     []byte // from position out on, after what was dropped
	dropped  int    // bytes at the beginning of held
	out      int64  // everything before it was passed on or replaced
	in       int64  // how much has come
	found    []span // in order, apart from each other, ending after out
	marked   bool   // the marker of found[0] was written
	ready    []byte // to be written
	mask     bool   // each byte of a secret becomes a star, in place of a marker for all
	err      error  // of w, for good
}

// span is a part of the stream that holds secrets.
type span struct{ start, end int64 }

// Write implements io.Writer. On an error of the underlying writer the stream
// is broken.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	w.held = append(w.held, p...)
	if len(w.redactor.nodes) > 1 {
		w.read(p)
	}
	w.in += int64(len(p))
	w.release(w.safe())
	if err := w.flush(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close passes on what was held back. The underlying writer stays open.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	w.readings = nil
	w.release(w.in)
	return w.flush()
}

// read notes the secrets that end in p.
func (w *Writer) read(p []byte) {
	for i, c := range p {
		at := w.in + int64(i)
		found := int64(nowhere)
		for _, r := range w.readings {
			found = min(found, r.next(c, at))
		}
		if found != nowhere {
			w.note(span{found, at + 1})
		}
	}
}

// safe returns the position before which no secret can begin any more.
func (w *Writer) safe() int64 {
	safe := w.in
	for _, r := range w.readings {
		safe = min(safe, r.from())
	}
	return safe
}

// note adds s, which ends last, and joins what it overlaps.
func (w *Writer) note(s span) {
	for last := len(w.found) - 1; last >= 0 && w.found[last].end > s.start; last-- {
		s.start = min(s.start, w.found[last].start)
		w.found = w.found[:last]
	}
	w.found = append(w.found, s)
}

// release moves everything before position safe to ready.
func (w *Writer) release(safe int64) {
	for len(w.found) > 0 && w.found[0].start < safe {
		s := w.found[0]
		w.pass(s.start)
		w.mark(min(s.end, safe))
		w.drop(min(s.end, safe))
		w.marked = s.end > safe
		if w.marked {
			return // a later secret may still reach into this one
		}
		w.found = w.found[1:]
	}
	w.pass(safe)
}

// mark writes what stands for the secret before position to.
func (w *Writer) mark(to int64) {
	switch {
	case w.mask && to > w.out:
		w.ready = append(w.ready, bytes.Repeat([]byte{'*'}, int(to-w.out))...)
	case !w.mask && !w.marked:
		w.ready = append(w.ready, Marker...)
	}
}

// Settle passes on what is held back if that is at most n bytes, for a reader who waits
// for the end of a message. Of a secret that comes in pieces it may show that much.
func (w *Writer) Settle(n int) error {
	if w.err != nil || w.in-w.out > int64(n) {
		return w.err
	}
	w.release(w.in)
	return w.flush()
}

// pass moves the text before position to.
func (w *Writer) pass(to int64) {
	if to > w.out {
		w.ready = append(w.ready, w.held[w.dropped:w.dropped+int(to-w.out)]...)
		w.drop(to)
	}
}

// drop forgets the text before position to.
func (w *Writer) drop(to int64) {
	if to > w.out {
		w.dropped += int(to - w.out)
		w.out = to
	}
}

func (w *Writer) flush() error {
	w.compact()
	if len(w.ready) == 0 {
		return nil
	}
	_, w.err = w.w.Write(w.ready)
	w.ready = w.ready[:0]
	return w.err
}

// compact lets go of what was dropped when it is the greater part, so that
// each byte is moved about once.
func (w *Writer) compact() {
	if kept := w.held[w.dropped:]; w.dropped > len(kept) {
		w.held = append([]byte(nil), kept...)
		w.dropped = 0
	}
}
