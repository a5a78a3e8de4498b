package compile

import "github.com/glovebox-dev/glovebox/py/internal/code"

// block is a statement that is being compiled and that break, continue, return
// and raise inside it must know about.
type block struct {
	kind  blockKind
	next  label                // of a loop: its next round
	end   label                // of a loop: what follows it; of a finally: its body
	exc   int                  // of a handler or finally: the register of the exception
	name  string               // of a handler: what its end unbinds
	mode  int                  // of a finally: the register that says what follows it
	value int                  // of a finally: the register of the value to return; of a with: that of the exit method
	async bool                 // of a with
	exits [exitReturn + 1]bool // of a finally: the ways that lead out of it
	first int                  // where the protected code began, or began again
	spans []span
}

// span is a stretch of protected code.
type span struct{ start, end int }

type blockKind uint8

const (
	loopBlock    blockKind = iota
	tryBlock               // the body of a try with handlers
	handlerBlock           // the body of an except clause
	guardBlock             // try or except parts under a finally
	finalBlock             // the body of a finally
	withBlock
)

// exit is a way to leave a block.
type exit uint8

const (
	exitBreak exit = iota + 1
	exitContinue
	exitReturn
)

// guarded says whether a return has to do something on its way out.
func (u *unit) guarded() bool {
	for _, b := range u.blocks {
		switch b.kind {
		case guardBlock, withBlock, finalBlock, handlerBlock:
			return true
		}
	}
	return false
}

// leave does break, continue or return: it goes out through the blocks around,
// to the first one that takes over. The value of a return is in a register.
func (u *unit) leave(how exit, value int) {
	blocks, top := u.blocks, u.top
	left := make([]*block, 0, 4)
	for i := len(blocks) - 1; i >= 0 && !u.dead; i-- {
		b := blocks[i]
		u.blocks = blocks[:i]
		if b.protects() {
			u.suspend(b)
			left = append(left, b)
		}
		u.leaveBlock(b, how, value)
	}
	if !u.dead {
		u.emit(code.OpReturn, value, 0, 0)
		u.dead = true
	}
	for _, b := range left {
		b.first = len(u.instrs)
	}
	u.blocks, u.top = blocks, top
}

// protects says whether exceptions inside the block land at a handler of it.
func (b *block) protects() bool { return b.kind != loopBlock && b.kind != finalBlock }

// suspend ends the protected stretch of a block here.
func (u *unit) suspend(b *block) {
	if len(u.instrs) > b.first {
		b.spans = append(b.spans, span{b.first, len(u.instrs)})
	}
	b.first = len(u.instrs)
}

// handles notes that the instructions from start on handle what is in exc.
func (u *unit) handles(start, exc int) {
	if len(u.instrs) > start {
		u.handling = append(u.handling, code.Handling{Start: int32(start), End: int32(len(u.instrs)), Reg: uint8(exc)})
	}
}

func (u *unit) leaveBlock(b *block, how exit, value int) {
	switch b.kind {
	case loopBlock:
		u.leaveLoop(b, how)
	case handlerBlock:
		u.emit(code.OpEndExcept, b.exc, 0, 0)
		u.forget(b.name)
	case finalBlock:
		u.emit(code.OpEndExcept, b.exc, 0, 0)
	case withBlock:
		u.callExit(b)
	case guardBlock:
		b.exits[how] = true
		if how == exitReturn {
			u.move(b.value, value)
		}
		u.emitWide(code.OpSmall, b.mode, int(how))
		u.jump(&b.end)
	}
}

func (u *unit) leaveLoop(b *block, how exit) {
	switch how {
	case exitBreak:
		u.jump(&b.end)
	case exitContinue:
		u.jump(&b.next)
	}
}

// forget unbinds the name of an except clause, whether it is bound or not.
func (u *unit) forget(name string) {
	if name == "" {
		return
	}
	mangled := u.scope.Mangle(name)
	r := u.find(mangled)
	if r.kind == local {
		u.emit(code.OpUnbind, r.index, 0, 0)
		u.bound.remove(r.index)
		return
	}
	mark, line := u.top, u.line
	u.storeName(name, u.start, u.pushConst(nil))
	u.deleteName(name, u.start)
	u.top, u.line = mark, line
}

// protect adds the stretches of a block to the handlers of the unit.
func (u *unit) protect(b *block, target, reg int) {
	u.suspend(b)
	for _, s := range b.spans {
		u.handlers = append(u.handlers, code.Handler{
			Start: int32(s.start), End: int32(s.end), Target: int32(target), Reg: uint8(reg),
		})
	}
}
