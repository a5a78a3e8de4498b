package contexts

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// marks joins the two streams of a driver that leaves its streams to the code, and
// writes marks between what the code writes: an execution has ended when both
// streams say so.
type marks struct {
	deliver func(message) error
	settle  time.Duration // how long the end of a line may come after its beginning

	mu   sync.Mutex
	once []string // ids of marks that came on one of them, which may be ahead
}

func newMarks(deliver func(message) error, settle time.Duration) *marks {
	return &marks{deliver: deliver, settle: settle}
}

func (m *marks) streams() (stdout, stderr io.Writer) {
	return &stream{marks: m, kind: api.CodeStdout}, &stream{marks: m, kind: api.CodeStderr}
}

// mark is what a driver writes on both streams before and after each execution,
// which it ends with a status, or on one of them to say an event.
var mark = lazyregexp.New(`(?s)^\x1e([A-Z2-7]{26}) (?:(ready|begin|[0-9]{1,3})( unwound)?|event (.*))$`)

const (
	edge     = '\x1e' // of a mark, on both sides
	longMark = 64     // bytes, which no mark but an event has
	longText = 64 << 10
)

// eventMark begins an event after its edge and its id.
const eventMark = " event "

// both takes note of a mark on one stream.
func (m *marks) both(id, word string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.Index(m.once, id)
	if i < 0 {
		m.once = append(m.once[max(0, len(m.once)-maxRequests):], id)
		return nil
	}
	m.once = slices.Delete(m.once, i, i+1)
	if word == "ready" {
		return m.deliver(message{id: id, kind: ready})
	}
	if word != "0" {
		failure := &api.CodeFailure{Name: "ExitStatus", Value: word}
		if err := m.deliver(message{id: id, event: api.CodeEvent{Type: api.CodeError, Error: failure}}); err != nil {
			return err
		}
	}
	return m.deliver(message{id: id, kind: ended})
}

// stream is standard output or standard error of such a driver.
type stream struct {
	*marks
	kind string

	mu      sync.Mutex
	id      string // of the execution that writes; empty between two
	mark    []byte // what may be the beginning of one
	text    []byte // what was not passed on yet
	settles *time.Timer
	between backlog
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(p)
	for len(p) > 0 {
		part, after, found := bytes.Cut(p, []byte{edge})
		if len(s.mark) == 0 {
			s.text = append(s.text, part...)
			if found {
				s.mark = append(s.mark, edge)
			}
			p = after
			continue
		}
		s.mark = append(s.mark, part...)
		if found {
			taken, err := s.takeMark()
			if err != nil {
				return 0, err
			}
			if taken {
				p = after
				continue
			}
		}
		if found || !mayBeMark(s.mark) {
			s.text, s.mark = append(s.text, s.mark...), nil
		}
		p = p[len(part):] // an edge may be the first of a mark
	}
	return n, s.pass(s.whole())
}

// mayBeMark reports whether more can make a mark of it.
func mayBeMark(p []byte) bool {
	if len(p) <= longMark {
		return true
	}
	after := 1 + 26
	return len(p) <= maxLine && string(p[after:after+len(eventMark)]) == eventMark
}

// takeMark does what a mark says, if there is one before the edge that was found.
func (s *stream) takeMark() (bool, error) {
	found := mark().FindSubmatch(s.mark)
	if found == nil {
		return false, nil
	}
	s.mark = nil
	if len(found[3]) > 0 && s.kind == api.CodeStderr {
		s.text = bytes.TrimSuffix(s.text, []byte("\n")) // of the shell, for its next prompt
	}
	if err := s.pass(len(s.text)); err != nil {
		return false, err
	}
	id, word := string(found[1]), string(found[2])
	switch word {
	case "":
		return true, s.event(id, found[4])
	case "begin":
		return true, s.begin(id)
	}
	s.id = ""
	if word == "ready" {
		s.between = backlog{} // the greetings of the program
	}
	return true, s.both(id, word)
}

func (s *stream) event(id string, line []byte) error {
	m, err := parse(line)
	if err != nil {
		return err
	}
	m.id = id
	return s.deliver(m)
}

// begin gives the execution what was written since the last one.
func (s *stream) begin(id string) error {
	s.id = id
	if s.kind == api.CodeStderr { // the second one
		if err := s.deliver(message{id: id, kind: begun}); err != nil {
			return err
		}
	}
	late := s.between
	s.between = backlog{}
	if late.dropped > 0 {
		if err := s.deliver(message{id: id, kind: dropped, size: late.dropped}); err != nil {
			return err
		}
	}
	return s.say(late.text)
}

// whole returns how much of the text may be passed on before more has come. What
// follows it is passed on a little later where lines come in parts.
func (s *stream) whole() int {
	n := wholeRunes(s.text)
	if s.kind == api.CodeStderr && string(s.text) == "\n" {
		return 0
	}
	if s.settle == 0 || n >= longText {
		return n
	}
	lines := bytes.LastIndexByte(s.text, '\n') + 1
	if lines < n && s.settles == nil {
		s.settles = time.AfterFunc(s.settle, s.settled)
	}
	return lines
}

// settled passes on the beginning of a line whose end has not come.
func (s *stream) settled() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settles = nil
	_ = s.pass(wholeRunes(s.text)) // a driver that is over needs no text
}

// wholeRunes returns the length of p without a character that has not ended.
func wholeRunes(p []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if utf8.RuneStart(p[len(p)-i]) && !utf8.FullRune(p[len(p)-i:]) {
			return len(p) - i
		}
	}
	return len(p)
}

// pass passes on the first n bytes of the text.
func (s *stream) pass(n int) error {
	p := s.text[:n]
	s.text = bytes.Clone(s.text[n:])
	if s.id == "" {
		s.between.add(p)
		return nil
	}
	return s.say(p)
}

func (s *stream) say(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	return s.deliver(message{id: s.id, size: len(p), event: api.CodeEvent{Type: s.kind, Text: strings.ToValidUTF8(string(p), "\ufffd")}})
}

// backlog is text that no execution has got.
type backlog struct {
	text    []byte
	dropped int // bytes beyond the bound
}

func (b *backlog) add(p []byte) {
	n := min(len(p), maxBetween-len(b.text))
	b.text = append(b.text, p[:n]...)
	b.dropped += len(p) - n
}
