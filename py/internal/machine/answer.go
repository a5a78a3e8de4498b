package machine

import (
	"context"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/py/lib"
	"github.com/glovebox-dev/glovebox/value"
)

// Answer is what became of a call.
type Answer struct {
	ID      uint64
	Value   any    // of package api; with Class the only argument of the exception, in place of Message
	Class   string // of the exception that the call raises in the program; "" for a value
	Message string // of the exception
	Pending bool   // the result comes later: the call gives a future
}

// GivenUp returns the calls that the program cancelled since it was resumed
// last. Nobody waits for their answers, and they are not among Calls any more.
func (m *Machine) GivenUp() []uint64 { return m.wait.givenUp }

// giveUp takes back a call that has no answer yet.
func (m *Machine) giveUp(id uint64) error {
	if err := m.Work(len(m.wait.calls)); err != nil {
		return err
	}
	m.Spend(SliceBytes)
	m.forget(id)
	m.wait.givenUp = append(m.wait.givenUp, id)
	return nil
}

// Calls returns the calls that wait for an answer.
func (m *Machine) Calls() []*Call { return m.wait.calls }

// Check reports why an answer cannot be given: there is no such call, or the
// value does not fit the type of the tool's result. It returns the value as
// that type wants it.
func (m *Machine) Check(a Answer) (any, error) {
	c := m.find(a.ID)
	if c == nil {
		return nil, fmt.Errorf("no call %d is waiting", a.ID)
	}
	if c.Ask != nil {
		return a.Value, c.Ask.check(a)
	}
	switch {
	case a.Pending:
		if c.to != nil {
			return nil, fmt.Errorf("call %d of %s is pending already", a.ID, c.Tool.Name)
		}
		return nil, nil
	case a.Class != "":
		if exceptions[a.Class] == nil {
			return nil, fmt.Errorf("%q is not a built-in exception", a.Class)
		}
		return a.Value, nil
	}
	if v, ok := fitsQuick(a.Value, c.Tool.Result); ok {
		return v, nil
	}
	v, err := value.Normalize(c.Tool.Result, a.Value)
	if err != nil {
		return nil, fmt.Errorf("result of call %d of %s: %w", a.ID, c.Tool.Name, err)
	}
	return v, nil
}

// fitsQuick knows the answers that need no work.
func fitsQuick(x any, t value.Type) (any, bool) {
	switch x := x.(type) {
	case int64:
		return x, t.Kind == value.KindInt
	case int:
		return int64(x), t.Kind == value.KindInt
	case float64:
		return x, t.Kind == value.KindFloat
	case bool:
		return x, t.Kind == value.KindBool
	}
	return nil, false
}

func (m *Machine) find(id uint64) *Call {
	for _, c := range m.wait.calls {
		if c.ID == id {
			return c
		}
	}
	return nil
}

func (m *Machine) forget(id uint64) {
	for i, c := range m.wait.calls {
		if c.ID == id {
			m.wait.calls = append(m.wait.calls[:i], m.wait.calls[i+1:]...)
			return
		}
	}
}

// Resume gives answers that Check accepted, with the values that it returned,
// and runs the program if it can continue.
func (m *Machine) Resume(ctx context.Context, answers []Answer) {
	if answers == nil {
		return
	}
	m.wait.givenUp = nil
	m.guard(ctx, answers)
}

func (m *Machine) resumeWith(answers []Answer) error {
	if err := m.give(answers); err != nil {
		if err = m.unwind(err); err != nil {
			return err
		}
	}
	if m.wait.block != 0 || m.wait.any {
		return errPaused
	}
	return m.loop()
}

// give distributes the answers.
func (m *Machine) give(answers []Answer) error {
	m.importing = importer{m: m}
	defer func() { m.importing = importer{} }()
	for _, a := range answers {
		if err := m.answer(a); err != nil {
			return err
		}
	}
	if !m.wait.any || len(m.wait.done) == 0 && !m.timeIsUp() {
		return nil
	}
	m.wait.any = false
	done, err := m.takeDone()
	if err != nil {
		return err
	}
	return m.deliverWaited(done)
}

func (m *Machine) answer(a Answer) error {
	c := m.find(a.ID)
	if a.Pending {
		m.Spend(2 * SliceBytes)
		c.to = &future{id: c.ID}
		m.wait.block = 0
		return m.deliverWaited(c.to.object())
	}
	m.forget(a.ID)
	failed := a.Class != ""
	v, err := m.answerValue(a)
	if err != nil {
		return err
	}
	if c.Ask != nil && c.Ask.What == AskName {
		m.settleName(c, failed, v)
	}
	if c.to != nil {
		c.to.state, c.to.value = futureDone, v
		if failed {
			c.to.state = futureFailed
		}
		m.wait.done = append(m.wait.done, Value{o: &c.to.Object})
		return nil
	}
	m.wait.block = 0
	if failed {
		return m.unwind(&thrown{exception: v})
	}
	return m.deliverWaited(v)
}

func (m *Machine) answerValue(a Answer) (Value, error) {
	if at := strings.LastIndexByte(a.Class, '.'); at > 0 && m.program.asks && isBundled(a.Class[:at]) {
		if _, err := m.importNow(a.Class[:at]); err != nil { // so that its class is known
			return Value{}, err
		}
	}
	if a.Class != "" && a.Value != nil {
		v, err := m.Import(a.Value)
		return m.newException(a.Class, v), err
	}
	if a.Class != "" {
		text, err := m.Str(a.Message)
		if err != nil {
			return Value{}, err
		}
		if a.Message == "" {
			return m.newException(a.Class), nil
		}
		return m.newException(a.Class, text), nil
	}
	if r, ok := a.Value.(graph.Ref); ok {
		return m.importing.value(r)
	}
	return m.Import(a.Value)
}

// isBundled reports whether there is a bundled module of that name.
func isBundled(name string) bool {
	_, ok := lib.Source(name)
	return ok && name[0] != '_'
}

// deliverWaited gives the frame on top the value that it waits for.
func (m *Machine) deliverWaited(v Value) error {
	f := frame{cont: m.wait.cont, dst: m.wait.dst, extra: m.wait.extra}
	m.wait.extra = Value{}
	return m.deliver(&f, v)
}
