package machine

import (
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/tool"
)

// A console is a session with declared inputs and tools. It asks its host for
// nothing else, and what one piece started, the next can await: its calls and
// tasks go on until a limit or Abort ends a piece.

// NewConsole returns a program without code, for Extend. The names of the inputs
// and the tools are its first globals.
func NewConsole(inputs []string, tools []*tool.Tool) *Program {
	globals := append([]string(nil), inputs...)
	for _, t := range tools {
		globals = append(globals, t.Name)
	}
	p := Link(&code.Module{Globals: globals}, inputs, tools)
	p.Main.feeds = []*Module{}
	return p
}

// console reports whether p is the program of a console.
func (p *Program) console() bool { return p.grows() && !p.asks }

// Next is Feed for a console: steps and output count anew.
func (m *Machine) Next(ctx context.Context, p *Program) {
	m.steps, m.out = 0, output{}
	m.settle()
	m.runPiece(ctx, p, nil)
}

// endPiece leaves what a piece has started for the next one, if its event loop
// stands where the next can go on with it.
func (m *Machine) endPiece() {
	m.forgetHalfImported()
	if !m.loopIdle() || m.cutShort() {
		m.abandon()
	}
	clear(m.frames)
	m.frames = m.frames[:0]
	m.wait.block, m.wait.any, m.wait.extra = 0, false, Value{}
	m.asFuture, m.tail = false, tailCall{}
}

// cutShort reports whether something that no code could catch ended the piece,
// between any two instructions.
func (m *Machine) cutShort() bool {
	var t *thrown
	var r *raise.Error
	return m.failure != nil && !errors.As(m.failure, &t) && !errors.As(m.failure, &r)
}

// Broken reports whether a defect of the machine ended the code, so that nothing
// is known of what it left.
func (m *Machine) Broken() bool {
	var limit *LimitError
	return m.cutShort() && !errors.As(m.failure, &limit)
}

// loopIdle reports whether the event loop runs no task, and not the one that
// awaits outside of functions.
func (m *Machine) loopIdle() bool {
	if !m.loopState.Bound() {
		return true
	}
	current, main := m.loopMember("current"), m.loopMember("main")
	if current == nil || main == nil || !current.IsNone() {
		return false
	}
	f := main.future()
	return f == nil || f.state != futurePending
}

// forgetHalfImported lets the next import of a module begin again where a limit
// ended its body.
func (m *Machine) forgetHalfImported() {
	for i := range m.frames {
		f := &m.frames[i]
		if mod := f.mod; mod != nil && mod != m.main && mod.code != nil && f.unit == mod.code.body() {
			delete(m.modules, mod.name)
		}
	}
}

// Bound reports whether the global in a slot has a value.
func (m *Machine) Bound(slot int) bool {
	return slot < len(m.main.globals) && m.main.globals[slot].Bound()
}

// HasTool reports whether the name of the i-th tool still means it.
func (m *Machine) HasTool(i int) bool {
	return m.main.globals[len(m.program.Inputs)+i].Is(m.program.values[i])
}
