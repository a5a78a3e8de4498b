package contexts

import (
	"bytes"
	_ "embed"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
)

// bash is a shell whose variables, functions and directory stay. It writes no
// JSON: what the code writes is on its streams as it is, between marks that the
// shell writes on both.
type bash struct {
	generation string
}

//go:embed bash/driver.sh
var bashSource string

// The shell is interactive, because an interrupt then ends what it does, and not
// itself.
func (bash) argv() []string { return []string{"bash", "--noprofile", "--norc", "--noediting", "-i"} }

func (d bash) opening(id string) ([]byte, error) {
	return []byte(strings.ReplaceAll(bashSource, "GENERATION", quoted(d.generation)) + string(d.greeting(id))), nil
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// request has lines for the shell. An interrupt takes the rest of the first; the
// last is there twice, because one may come as late as that.
func (bash) request(id string, _ int, r api.CodeRequest) ([]byte, error) {
	var out strings.Builder
	out.WriteString("__glovebox_begin " + id + "; ")
	for name, value := range r.Env {
		if !variable.MatchString(name) {
			return nil, api.Errorf(api.RequestInvalid, "%q is no name of a variable", name)
		}
		out.WriteString(name + "=" + quoted(value) + " ")
	}
	out.WriteString("eval " + quoted(r.Code) + " </dev/null; __glovebox_status=$?\n")
	out.WriteString(strings.Repeat("__glovebox_end "+id+"\n", 2))
	if strings.ContainsRune(out.String(), 0) {
		return nil, api.Errorf(api.RequestInvalid, "bash cannot run code with a NUL")
	}
	return []byte(out.String()), nil
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (bash) greeting(id string) []byte { return []byte("__glovebox_mark " + id + " ready\n") }

func (bash) listen(_ string, deliver func(message) error) (stdout, stderr io.Writer) {
	both := &marks{deliver: deliver}
	return &stream{marks: both, kind: api.CodeStdout}, &stream{marks: both, kind: api.CodeStderr}
}

// marks joins the two streams of a shell: an execution has ended when both say so.
type marks struct {
	deliver func(message) error

	mu   sync.Mutex
	once []string // ids of marks that came on one of them, which may be ahead
}

// mark is what the shell writes on both streams before and after each execution.
// It ends one with its status.
var mark = regexp.MustCompile("\x1e([A-Z2-7]{26}) (ready|begin|[0-9]{1,3})( unwound)?\x1e")

// longMark is longer than any mark.
const longMark = 64

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

// stream is standard output or standard error of a shell.
type stream struct {
	*marks
	kind string
	id   string // of the execution that writes; empty between two
	rest []byte // what may be the beginning of a mark or of a character
}

func (s *stream) Write(p []byte) (int, error) {
	n := len(p)
	p = append(s.rest, p...)
	for {
		at := mark.FindSubmatchIndex(p)
		if at == nil {
			break
		}
		text := p[:at[0]]
		if at[6] >= 0 && s.kind == api.CodeStderr {
			text = bytes.TrimSuffix(text, []byte("\n")) // of the shell, for its next prompt
		}
		if err := s.text(text); err != nil {
			return 0, err
		}
		if err := s.take(string(p[at[2]:at[3]]), string(p[at[4]:at[5]])); err != nil {
			return 0, err
		}
		p = p[at[1]:]
	}
	whole := s.whole(p)
	s.rest = bytes.Clone(p[whole:])
	return n, s.text(p[:whole])
}

func (s *stream) take(id, word string) error {
	if word == "begin" {
		s.id = id
		if s.kind == api.CodeStderr { // the second one
			return s.deliver(message{id: id, kind: begun})
		}
		return nil
	}
	s.id = ""
	return s.both(id, word)
}

// whole returns how much of p may be passed on before more has come.
func (s *stream) whole(p []byte) int {
	if at := bytes.LastIndexByte(p, '\x1e'); at >= 0 && len(p)-at < longMark {
		return at
	}
	if s.kind == api.CodeStderr && string(p) == "\n" {
		return 0
	}
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if utf8.RuneStart(p[len(p)-i]) && !utf8.FullRune(p[len(p)-i:]) {
			return len(p) - i
		}
	}
	return len(p)
}

func (s *stream) text(p []byte) error {
	if len(p) == 0 || s.id == "" {
		return nil
	}
	return s.deliver(message{id: s.id, size: len(p), event: api.CodeEvent{Type: s.kind, Text: strings.ToValidUTF8(string(p), "\ufffd")}})
}
