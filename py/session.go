package py

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/py/check"
	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/modules"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// Session runs code that comes in pieces, as a console does: each piece finds
// the variables of those before. It speaks the extended dialect and has no
// declared tools; what a piece does not define, it asks the host for, and a
// function of the host takes any arguments. Values cross as graphs, so that they
// keep their types and their identity. It is used by one goroutine at a time.
type Session struct {
	feeds
	machine *machine.Machine
	key     []byte
	modules check.Modules // those that code may import
}

// NamedValue is a variable that is set before a piece of code runs.
type NamedValue struct {
	Name  string
	Value graph.Ref
}

// NewSession makes a session that has run nothing.
func NewSession(o RunOptions) (*Session, error) {
	machine.Boot(modules.Define)
	limits, err := o.Limits.complete()
	if err != nil {
		return nil, err
	}
	s := emptySession(o)
	s.machine = machine.Begin(s.program, limits, o.Host)
	return s, nil
}

func emptySession(o RunOptions) *Session {
	s := &Session{key: o.Key, modules: modulesOf(o.Host)}
	s.feeds = feeds{program: machine.NewSession(), compile: s.compile, slots: map[string]int{}}
	return s
}

// ErrBusy is returned for code that comes while other code waits.
var ErrBusy = errors.New("the code before has not ended")

// Feed runs a piece of code until it waits, ends or fails. Its value is that of a
// last expression, or of a return outside of functions, which ends it. The error is a
// *SourceError if it is no code, or a *LimitError if the session has more than
// it may, and then nothing has changed. name is that of the source in tracebacks.
func (s *Session) Feed(ctx context.Context, name, source string, inputs []NamedValue) error {
	if s.Status() == Waiting {
		return ErrBusy
	}
	f := fed{name: name, source: source}
	for _, in := range inputs {
		f.inputs = append(f.inputs, in.Name)
	}
	if _, err := s.extend(f); err != nil {
		return err
	}
	values := make([]machine.Input, len(inputs))
	for i, in := range inputs {
		values[i] = machine.Input{Slot: s.slots[in.Name], Value: in.Value}
	}
	s.machine.Feed(ctx, s.program, values)
	return nil
}

// modulesOf are the bundled modules, or all of any name.
func modulesOf(h Host) check.Modules {
	if h.AskModules {
		return openModules{}
	}
	return importable{}
}

type openModules struct{ importable }

// Members knows those of bundled modules alone.
func (openModules) Members(module string) ([]string, bool) {
	names, ok := importable{}.Members(module)
	return names, ok || !strings.HasPrefix(module, "_")
}

// compile makes code of a piece, in which a return may stand outside of functions.
func (s *Session) compile(f fed, declared []string) (*code.Module, error) {
	file, err := syntax.ParsePiece(f.name, f.source)
	if err != nil {
		return nil, syntaxError(err)
	}
	checking := Options{Dialect: Extended}.checking()
	checking.Modules = s.modules
	return compilePiece(file, checking, declared, true)
}

// Status tells where the session stands: Done and Failed are about the last
// piece of code, and a session that has run nothing is Done.
func (s *Session) Status() Status { return s.machine.Status() }

// AskKind says what a session asks for.
type AskKind = machine.AskKind

// The kinds of Ask.
const (
	AskCall = machine.AskCall // the result of a function of the host
	AskName = machine.AskName // the value of a name
	// AskSystem is for what a system does, if Host.Directory grants one. Name is
	// that of a method of pathlib.Path, or open, getenv or environ, with the path
	// and the arguments in Args.
	AskSystem = machine.AskSystem
	// AskAttribute and AskMethod are for the attribute or the method Name of an
	// object of the host. The first of Args is its identity, as bytes; the second
	// of AskAttribute is the message of the AttributeError if there is none.
	AskAttribute = machine.AskAttribute
	AskMethod    = machine.AskMethod
)

// Ask is something that a session asks the host for. Resume answers it; Raise of
// a NameError is the answer for a name that there is not.
type Ask struct {
	ID      uint64
	Kind    AskKind
	Name    string
	Graph   *graph.Graph
	Args    []uint32     // nodes of Graph
	Named   []graph.Pair // nodes of Graph
	Pending bool         // the host said that the answer takes longer
	Place   Place        // where the code asks, unless it is pending
	Awaited bool         // the code awaits the answer right there, and has nothing else that could run meanwhile
}

// Place is a part of the source of a session, in bytes.
type Place = machine.Place

// Asks returns what the session waits for.
func (s *Session) Asks() []Ask {
	var asks []Ask
	for _, c := range s.machine.Calls() {
		a := Ask{ID: c.ID, Kind: c.Ask.What, Name: c.Ask.Name, Graph: c.Ask.Graph, Args: c.Ask.Args, Named: c.Ask.Named, Pending: c.Pending()}
		if !a.Pending {
			a.Place, a.Awaited = s.machine.Place(), s.machine.AwaitsAtOnce()
		}
		asks = append(asks, a)
	}
	return asks
}

// Resume gives answers and runs the code on, as State.Resume does. The values
// of Return are of type graph.Ref.
func (s *Session) Resume(ctx context.Context, results ...Result) error {
	st := State{machine: s.machine}
	return st.Resume(ctx, results...)
}

// Timer and Advance are those of State: code that sleeps.
func (s *Session) Timer() (at time.Duration, ok bool) { return s.machine.Timer() }

// Sleep says how the code sleeps that Timer is about: alone, as by time.sleep,
// while nothing else of it runs, or as one task of several.
func (s *Session) Sleep() (alone bool, tasks int) { return s.machine.Sleep() }

// AwaitPlace returns the expression at which the code waits for what is pending.
func (s *Session) AwaitPlace() Place { return s.machine.AwaitPlace() }

// Advance tells the session how much time has passed since it began.
func (s *Session) Advance(passed time.Duration) { s.machine.Advance(passed) }

// Abort ends code that waits by an exception that it cannot catch.
func (s *Session) Abort(class, message string) error {
	if s.Status() != Waiting {
		return ErrNotWaiting
	}
	s.machine.Abort(class, message)
	return nil
}

// SetTime changes how long the piece of code under way may run, in all.
func (s *Session) SetTime(most time.Duration) { s.machine.SetTime(most) }

// Result returns the value of the last expression of the code that is done, or
// why it failed: an *Exception or a *LimitError.
func (s *Session) Result() (graph.Ref, error) {
	switch s.Status() {
	case Done:
		return s.machine.ExportGraph(s.machine.Result())
	case Failed:
		return graph.Ref{}, s.machine.Failure()
	}
	return graph.Ref{}, ErrBusy
}

// Usage returns what the session used. Its time is that of the last piece of
// code.
func (s *Session) Usage() Usage { return s.machine.Usage() }

// Snapshot returns the session as bytes, from which LoadSession makes it again.
func (s *Session) Snapshot() ([]byte, error) {
	b := binary.AppendUvarint(nil, uint64(len(s.fed)))
	for _, f := range s.fed {
		b = appendText(appendText(b, f.name), f.source)
		b = binary.AppendUvarint(b, uint64(len(f.inputs)))
		for _, name := range f.inputs {
			b = appendText(b, name)
		}
	}
	saved, err := s.machine.Snapshot(nil)
	if err != nil {
		return nil, err
	}
	b = append(b, saved...)
	if len(s.key) > 0 {
		b = append(b, sessionTag(s.key, b)...)
	}
	return b, nil
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func sessionTag(key, data []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(data)
	return h.Sum(nil)
}

// LoadSession makes a session of a snapshot. Like Program.Load, it is safe with
// bytes from anywhere, and with o.Key it refuses what was not made with it.
func LoadSession(snapshot []byte, o RunOptions) (*Session, error) {
	machine.Boot(modules.Define)
	limits, err := o.Limits.complete()
	if err != nil {
		return nil, err
	}
	if len(o.Key) > 0 {
		n := len(snapshot) - sha256.Size
		if n < 0 || !hmac.Equal(snapshot[n:], sessionTag(o.Key, snapshot[:n])) {
			return nil, ErrSnapshotKey
		}
		snapshot = snapshot[:n]
	}
	s := emptySession(o)
	rest, err := s.refeed(snapshot)
	if err != nil {
		return nil, err
	}
	if s.machine, err = machine.Load(s.program, rest, nil, limits, o.Host); err != nil {
		return nil, err
	}
	return s, nil
}

// refeed compiles the code that a snapshot lists, and returns what follows.
func (s *Session) refeed(data []byte) ([]byte, error) {
	r := textReader{rest: data}
	for n := r.count(); n > 0 && !r.bad; n-- {
		f := fed{name: r.text(), source: r.text()}
		for k := r.count(); k > 0 && !r.bad; k-- {
			f.inputs = append(f.inputs, r.text())
		}
		if r.bad {
			break
		}
		if _, err := s.extend(f); err != nil {
			return nil, ErrSnapshotCorrupt
		}
	}
	if r.bad {
		return nil, ErrSnapshotCorrupt
	}
	return r.rest, nil
}

// textReader reads what Snapshot wrote before the state.
type textReader struct {
	rest []byte
	bad  bool
}

func (r *textReader) count() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > uint64(len(r.rest)) {
		r.bad = true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *textReader) text() string {
	n := r.count()
	if n > uint64(len(r.rest)) {
		r.bad = true
		return ""
	}
	text := string(r.rest[:n])
	r.rest = r.rest[n:]
	return text
}
