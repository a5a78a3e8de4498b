package secret

import "io"

// Writer takes secrets out of a stream. Positions count from its beginning.
type Writer struct {
	redactor *Redactor
	w        io.Writer
	state    int32
	held     []byte // from position out on
	out      int64  // everything before it was passed on or replaced
	in       int64  // how much has come
	found    []span // in order, apart from each other, ending after out
	marked   bool   // the marker of found[0] was written
	ready    []byte // to be written
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
	for _, c := range p {
		w.next(c)
	}
	w.release(w.in - int64(w.redactor.nodes[w.state].depth))
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
	w.state = 0
	w.release(w.in)
	return w.flush()
}

// next follows one byte and notes the secret that ends with it.
func (w *Writer) next(c byte) {
	r := w.redactor
	w.state = r.step(w.state, c)
	w.in++
	n := &r.nodes[w.state]
	if n.match > 0 {
		w.note(span{w.in - int64(n.match), w.in})
	}
	if n.child == 0 {
		w.state = n.fail // nothing longer begins there, so nothing need be held for it
	}
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
		if !w.marked {
			w.ready = append(w.ready, Marker...)
		}
		w.drop(min(s.end, safe))
		w.marked = s.end > safe
		if w.marked {
			return // a later secret may still reach into this one
		}
		w.found = w.found[1:]
	}
	w.pass(safe)
}

// pass moves the text before position to.
func (w *Writer) pass(to int64) {
	if to > w.out {
		w.ready = append(w.ready, w.held[:to-w.out]...)
		w.drop(to)
	}
}

// drop forgets the text before position to.
func (w *Writer) drop(to int64) {
	if to > w.out {
		w.held = w.held[to-w.out:]
		w.out = to
	}
}

func (w *Writer) flush() error {
	if len(w.ready) == 0 {
		return nil
	}
	_, w.err = w.w.Write(w.ready)
	w.ready = w.ready[:0]
	w.held = append([]byte(nil), w.held...) // lets go of what was passed on
	return w.err
}
