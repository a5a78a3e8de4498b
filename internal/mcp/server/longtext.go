package server

import "unicode/utf8"

// ends are the beginning and the end of a text that comes in pieces, and may be long.
type ends struct {
	most    int // bytes that are wanted
	text    []byte
	dropped int // bytes of its middle
}

func (e *ends) add(piece []byte) {
	e.text = append(e.text, piece...)
	if middle := len(e.text) - 2*e.most; middle > 2*e.most {
		e.text, e.dropped = append(e.text[:e.most], e.text[e.most+middle:]...), e.dropped+middle
	}
}

// cut is that of the whole text.
func (e *ends) cut() (kept string, left int) { return cutWithout(e.text, e.dropped, e.most) }

// window is a page of such a text, from an offset on.
type window struct {
	from, seen int64
	text       []byte
}

func (w *window) add(piece []byte) {
	begin := w.seen
	w.seen += int64(len(piece))
	if skip := w.from + int64(len(w.text)) - begin; skip < int64(len(piece)) {
		piece = piece[max(skip, 0):]
		w.text = append(w.text, piece[:min(len(piece), maxText+utf8.UTFMax-len(w.text))]...)
	}
}

// page is the page, and where the next one is, 0 at the end.
func (w *window) page() (part string, next int64) {
	if part, next = page(w.text, 0); next > 0 {
		next += w.from
	}
	return part, next
}
