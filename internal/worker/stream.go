package worker

import "io"

// stream passes on what a function prints and keeps its end.
type stream struct {
	to    io.Writer
	limit int
	kept  []byte // up to twice the limit, so that cutting is rare
}

func newStream(to io.Writer, limit int) *stream {
	if to == nil {
		to = io.Discard
	}
	return &stream{to: to, limit: limit}
}

// print ignores errors of the writer: a function does not fail because its
// stream has no reader.
func (s *stream) print(text string) {
	_, _ = io.WriteString(s.to, text)
	s.kept = append(s.kept, text...)
	if len(s.kept) > 2*s.limit {
		s.kept = append(s.kept[:0], s.kept[len(s.kept)-s.limit:]...)
	}
}

func (s *stream) bytes() []byte { return s.kept[max(0, len(s.kept)-s.limit):] }
