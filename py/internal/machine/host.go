package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// toolObject is a tool as the program sees it.
type toolObject struct {
	Object
	decl *tool.Tool
	open bool // a function of the host of a session: it takes any arguments
}

func newTool(t *tool.Tool) Value {
	o := &toolObject{decl: t}
	o.flags = shared
	o.kind, o.self = KindTool, o
	return Value{o: &o.Object}
}

// future is the result of a call that is under way.
type future struct {
	Object
	id    uint64 // of the call; for those that the program made a number with ownFuture
	state futureState
	value Value // the result or the exception
	more  Value // an instance: what the event loop keeps about it; see prelude/futures.py
}

// The upper bits of the id of a future distinguish calls, futures of the program
// and tasks.
const (
	ownFuture = 1 << 63
	ownTask   = 1 << 62
)

func (o *future) class() *Class {
	if o.id&ownTask != 0 {
		return taskType
	}
	return futureType
}

type futureState uint8

const (
	futurePending futureState = iota
	futureDone
	futureFailed
)

func (o *future) object() Value { o.kind, o.self = KindFuture, o; return Value{o: &o.Object} }

// outcome is the result of a future that is not pending.
func (o *future) outcome(m *Machine) (Value, error) {
	switch o.state {
	case futureDone:
		return o.value, nil
	case futureFailed:
		return Value{}, &thrown{exception: o.value}
	}
	return Value{}, ErrMalformed
}

// Call is a call of a tool that waits for its result.
type Call struct {
	ID   uint64
	Tool *tool.Tool
	Args []any   // one for each parameter of the tool; see Export
	Line int     // of the source that makes it; 0 after loading
	to   *future // or nil: the program waits for this call alone
	size int64   // bytes of the arguments, which the program pays for while the call waits; 0 after loading

	Ask *Ask // in a session: what stands in place of Tool and Args
}

// waiting is what an instance waits for.
type waiting struct {
	calls   []*Call
	serial  uint64
	block   uint64   // the call for which the frame on top waits, or 0
	any     bool     // the frame on top waits for any future
	done    []Value  // futures that got their results since the last look
	givenUp []uint64 // calls that were cancelled since the host answered; a snapshot leaves them out
	dst     uint8
	cont    continuation
	extra   Value
}

func (w *waiting) trace(t *tracer) {
	t.value(w.extra)
	t.values(w.done)
	for _, c := range w.calls {
		if c.to != nil {
			t.value(Value{o: &c.to.Object})
		}
		t.bytes += int64(64+32*len(c.Args)) + c.size
		if c.Ask != nil {
			t.values(c.Ask.args.v)
			t.value(c.Ask.args.names.ref())
		}
	}
}

// callTool pauses for a call of a tool, or makes a future of it.
func (m *Machine) callTool(t *toolObject, a Args, asFuture bool, cont continuation, extra Value) (Value, error) {
	if t.open {
		return m.askHost(AskCall, t.decl.Name, a, cont, extra)
	}
	if int(m.wait.serial) >= m.limits.Calls {
		return Value{}, m.limit(CallLimit)
	}
	before := m.exported
	args, err := m.bindTool(t.decl, a)
	if err != nil {
		return Value{}, err
	}
	size := m.exported - before
	if err := m.Alloc(int(size)); err != nil {
		return Value{}, err
	}
	m.wait.serial++
	c := &Call{ID: m.wait.serial, Tool: t.decl, Args: args, Line: m.callLine(), size: size}
	m.wait.calls = append(m.wait.calls, c)
	if asFuture || t.decl.Async && !m.program.Plain {
		m.Spend(2 * SliceBytes)
		c.to = &future{id: c.ID}
		return c.to.object(), nil
	}
	m.wait.block, m.wait.dst, m.wait.cont, m.wait.extra = c.ID, m.dst, cont, extra
	return Value{}, errPaused
}

// callLine is the line that the innermost frame of the program's own code executes,
// or 0.
func (m *Machine) callLine() int {
	for i := len(m.frames) - 1; i >= 0; i-- {
		if f := &m.frames[i]; !f.unit.mod.hidden {
			return f.unit.code.Line(int(f.pc) - 1)
		}
	}
	return 0
}

// waitAny pauses until some future has its result.
func (m *Machine) waitAny() (Value, error) {
	if len(m.wait.done) > 0 {
		return m.takeDone()
	}
	if until, ok := m.until(); ok && until <= m.loopTime() {
		return m.takeDone()
	} else if !ok && !m.pendingFutures() {
		return Value{}, raise.Runtime("the program waits for a future that nothing will complete")
	}
	m.wait.any, m.wait.dst, m.wait.cont, m.wait.extra = true, m.dst, contStore, Value{}
	return Value{}, errPaused
}

func (m *Machine) pendingFutures() bool {
	for _, c := range m.wait.calls {
		if c.to != nil {
			return true
		}
	}
	return false
}

func (m *Machine) takeDone() (Value, error) {
	v, err := m.NewList(m.wait.done)
	m.wait.done = nil
	return v, err
}

// bindTool distributes the arguments of a call over the tool's parameters and
// checks their types.
func (m *Machine) bindTool(t *tool.Tool, a Args) ([]any, error) {
	slots := make([]Value, len(t.Params))
	pos := a.Positional()
	if err := tooManyForTool(t, len(pos)); err != nil {
		return nil, err
	}
	copy(slots, pos)
	if err := bindToolNames(t, a, slots); err != nil {
		return nil, err
	}
	args := make([]any, len(slots))
	var missing missingArguments
	for i, p := range t.Params {
		if !slots[i].Bound() {
			if !p.HasDefault {
				missing.add(p)
				continue
			}
			args[i] = p.Default
			continue
		}
		v, err := m.exportArgument(slots[i], p)
		if err != nil {
			return nil, toolArgument(t, p, err)
		}
		args[i] = v
	}
	return args, missing.raise(t.Name)
}

func (m *Machine) exportArgument(v Value, p tool.Param) (any, error) {
	if floats := m.floatsOf(v, p.Type); floats != nil {
		return m.exportFloats(value.Param{Name: p.Name, Type: p.Type}, floats)
	}
	return m.exportAs(v, p.Type)
}

// tooManyForTool refuses more arguments than the tool takes by position.
func tooManyForTool(t *tool.Tool, given int) error {
	required, most := 0, 0
	for _, p := range t.Params {
		if p.KeywordOnly {
			break
		}
		if most++; !p.HasDefault {
			required++
		}
	}
	if given <= most {
		return nil
	}
	return tooManyBound(t.Name, required, most, given)
}

// missingArguments are the parameters that a call left out.
type missingArguments struct{ positional, keyword []string }

func (a *missingArguments) add(p tool.Param) {
	if p.KeywordOnly {
		a.keyword = append(a.keyword, p.Name)
		return
	}
	a.positional = append(a.positional, p.Name)
}

// raise says it as CPython does: those that go by position first.
func (a *missingArguments) raise(fn string) error {
	kind, names := "positional", a.positional
	if len(names) == 0 {
		kind, names = "keyword-only", a.keyword
	}
	if len(names) == 0 {
		return nil
	}
	return raise.Type("%s() missing %d required %s argument%s: %s", fn, len(names), kind, plural(len(names)), quotedList(names))
}

func bindToolNames(t *tool.Tool, a Args, slots []Value) error {
	if a.names == nil {
		return nil
	}
	for i, n := range a.names.items {
		name := n.Str().s
		at := -1
		for j := range t.Params {
			if t.Params[j].Name == name {
				at = j
			}
		}
		if at < 0 {
			return raise.Type("%s() got an unexpected keyword argument '%s'", t.Name, name)
		}
		if slots[at].Bound() {
			return raise.Type("%s() got multiple values for argument '%s'", t.Name, name)
		}
		slots[at] = a.v[a.Len()+i]
	}
	return nil
}

func toolArgument(t *tool.Tool, p tool.Param, err error) error {
	if r, ok := err.(*raise.Error); ok {
		return raise.Type("%s() argument '%s': %s", t.Name, p.Name, r.Message)
	}
	return err
}
