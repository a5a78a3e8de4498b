package machine

import (
	"context"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/py/internal/code"
)

// A session is an instance whose program grows: code is added, and finds the
// globals of the code before. The globals of the code before are the first ones
// of the code that is added, so that a slot means the same variable in both,
// and one module object serves all of it.

// NewSession returns a program without code, for Extend.
func NewSession() *Program {
	return &Program{Main: &Module{code: &code.Module{}, feeds: []*Module{}}, asks: true}
}

// Extend returns p with code that was compiled after it: the globals of p are
// the first of its own.
func (p *Program) Extend(mod *code.Module) *Program {
	before := p.Main
	first := len(before.units)
	for _, c := range mod.Codes {
		c.Index += first
	}
	added := link(mod, false)
	added.first = first
	grown := &Module{
		code:  &code.Module{Name: mod.Name, Globals: mod.Globals},
		units: slices.Concat(before.units, added.units),
		main:  first,
		feeds: append(slices.Clip(before.feeds), added),
	}
	return &Program{Main: grown, Inputs: p.Inputs, Tools: p.Tools, Plain: p.Plain, asks: p.asks, values: p.values}
}

// grows reports whether p is the program of a session or a console.
func (p *Program) grows() bool { return p.Main.feeds != nil }

// body is the unit that runs the module.
func (mod *Module) body() *unit { return mod.units[mod.main] }

// has reports whether a unit is one of the module.
func (mod *Module) has(u *unit) bool {
	i := u.code.Index
	return i < len(mod.units) && mod.units[i] == u
}

// Begin makes a new instance of a session, which has run nothing yet.
func Begin(p *Program, limits Limits, host Host) *Machine {
	m := New(p, limits, host)
	m.result, m.status = None, Done
	return m
}

// Input is the value of a global before the code runs.
type Input struct {
	Slot  int
	Value graph.Ref
}

// Feed runs the code that p has more than the program so far, until it waits,
// ends or fails. What was left of code that failed before is dropped.
func (m *Machine) Feed(ctx context.Context, p *Program, inputs []Input) {
	m.abandon()
	m.runPiece(ctx, p, inputs)
}

func (m *Machine) runPiece(ctx context.Context, p *Program, inputs []Input) {
	m.wait.givenUp = nil
	m.elapsed, m.failure, m.result = 0, nil, None
	m.program, m.main.code = p, p.Main
	m.ctx, m.resumedAt, m.status = ctx, now(), Running
	defer m.settleRun()
	m.end(m.feed(p, inputs))
}

func (m *Machine) feed(p *Program, inputs []Input) error {
	more := len(p.Main.code.Globals) - len(m.main.globals)
	if err := m.Alloc(more * ValueBytes); err != nil {
		return err
	}
	m.main.globals = append(m.main.globals, make([]Value, more)...)
	if err := m.prepareSystem(); err != nil {
		return err
	}
	im := importer{m: m}
	for _, in := range inputs {
		v, err := im.value(in.Value)
		if err != nil {
			return err
		}
		m.main.globals[in.Slot] = v
	}
	if err := m.push(p.Main.body(), nil, m.main, 1, contFinish, Value{}); err != nil {
		return err
	}
	return m.loop()
}

// abandon drops the frames and the calls under way.
func (m *Machine) abandon() {
	clear(m.frames)
	m.frames = m.frames[:0]
	ended := waiting{serial: m.wait.serial, givenUp: m.wait.givenUp}
	for _, c := range m.wait.calls {
		ended.givenUp = append(ended.givenUp, c.ID)
	}
	m.wait, m.loopState = ended, Value{}
}

// Abort ends code that waits by an exception that it cannot catch.
func (m *Machine) Abort(class, message string) {
	exc := m.newException(class, m.Message(message))
	for i := len(m.frames) - 1; i >= 0; i-- {
		exc.Instance().addLine(m, &m.frames[i])
	}
	m.abandon()
	m.status, m.failure = Failed, &thrown{exception: exc}
}

// Place is a part of the source of a session.
type Place struct {
	File       string // the name of the source; "" if it is not known
	Start, End int    // bytes
}

// Place returns the call or the name at which the program stands.
func (m *Machine) Place() Place {
	for i := len(m.frames) - 1; i >= 0; i-- {
		f := &m.frames[i]
		if f.unit.mod.hidden {
			continue
		}
		for back := 1; back <= 3; back++ { // a call with names has words of data
			if s, ok := f.unit.code.SpotAt(int(f.pc) - back); ok {
				return Place{f.unit.mod.code.Name, int(s.Start), int(s.End)}
			}
		}
		break
	}
	return Place{}
}

// calls reports whether the name that the frame on top reads is called.
func (m *Machine) calls() bool {
	f := &m.frames[len(m.frames)-1]
	s, ok := f.unit.code.SpotAt(int(f.pc) - 1)
	return ok && s.Callee
}

// Pending reports whether the call gave the program a future.
func (c *Call) Pending() bool { return c.to != nil }

// SetTime changes how long the code under way may run, in all.
func (m *Machine) SetTime(most time.Duration) { m.limits.Time = most }
