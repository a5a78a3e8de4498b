// Package compile turns the tree of a program into code for the machine.
//
// It is the third of the passes over a source:
//
//	py/syntax    text to tree
//	py/resolve   what every name in the tree means
//	compile      tree and names to code.Module, unit by unit
//
// A unit is what runs in a frame of its own: the module, a function, a lambda, a
// class body, a generator expression. The compiler goes through the tree once
// and emits instructions for registers as it goes. Four ideas carry it:
//
//   - Registers. The first ones of a unit are its variables, as package resolve
//     numbers them; the others are temporaries, used as a stack whose next free
//     one is unit.top. An expression is worked out into a register that the
//     caller names (exprTo), or wherever it already is (operand).
//   - Labels. A jump to a place that is not known yet is chained to the others
//     that lead there, through its own offset; place fills them in.
//   - Bound locals. unit.bound is the set of locals that are certainly bound
//     here. It is joined where ways meet, so that only doubtful reads are checked
//     when the program runs.
//   - Blocks. Around break, continue, return and raise stand loops, tries,
//     finallys and withs. leave goes out through them, from the inside, and each
//     adds what it has to do on the way.
//
// The files, in the order in which to read them:
//
//	compile.go unit.go            the whole, and one unit
//	names.go label.go const.go    variables, jumps, constants
//	stmt.go assign.go cond.go loop.go
//	expr.go fold.go call.go display.go comprehension.go
//	function.go class.go await.go
//	leave.go try.go exceptstar.go with.go
//	match.go
//
// The compiler recurses over the tree, whose depth the parser limits, and takes
// time and memory in proportion to the source.
package compile

import (
	"fmt"
	"sync"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// Options say how a file is compiled.
type Options struct {
	Name        string                 // of the file, for tracebacks
	Predeclared []string               // names of the first global slots: inputs and tools
	Builtin     func(name string) bool // whether there is a built-in of that name; may be nil
	Result      bool                   // the module returns the value of its last expression statement
	Private     bool                   // no one else reads the globals: those that no function needs live in registers
	Spots       bool                   // note where calls and names are in the source
}

// compilers keeps the memory of compilers for others. The code that one returns
// holds none of it.
var compilers = sync.Pool{New: func() any { return new(compiler) }}

// Compile returns the code of a file. Its error is a *syntax.Error.
func Compile(file *syntax.File, o Options) (*code.Module, error) {
	c := compilers.Get().(*compiler)
	defer c.release()
	c.file, c.options = file, o
	c.spare = append(c.room.spare[:0], c.room.firstUnit())
	c.out = &code.Module{Name: o.Name, Source: file.Source}
	if err := c.names.File(file, resolve.Options{Predeclared: o.Predeclared, Builtin: o.Builtin}); err != nil {
		return nil, err
	}
	c.placeGlobals()
	c.module()
	if c.err != nil {
		return nil, c.err
	}
	return c.out, nil
}

func (c *compiler) release() {
	*c = compiler{}
	compilers.Put(c)
}

// compiler is the state of one Compile.
type compiler struct {
	file    *syntax.File
	options Options
	out     *code.Module
	err     *syntax.Error // the first one; the compiler continues without effect

	names   resolve.Info
	globals []ref                     // by the index of the module's symbol
	futures map[*syntax.Call]struct{} // calls that start tools without waiting for them
	spare   []*unit                   // finished units, for their buffers

	room room
	size int // instructions so far

	line     int // the line that was asked for last
	lineFrom syntax.Pos
	lineTo   syntax.Pos
}

// room is memory that most programs need, allocated in one piece.
type room struct {
	unit    unit
	spare   [4]*unit
	globals [indexFrom]ref
	instrs  [128]code.Instr
	tops    [128]uint8
	lines   [32]code.LineAt
	values  [indexFrom]any
	blocks  [8]*block
}

func (r *room) firstUnit() *unit {
	r.unit.instrs, r.unit.tops, r.unit.lines = r.instrs[:0], r.tops[:0], r.lines[:0]
	r.unit.blocks, r.unit.pool.values = r.blocks[:0], r.values[:0]
	return &r.unit
}

// fail records an error, unless there was one before.
func (c *compiler) fail(at syntax.Pos, format string, args ...any) {
	if c.err != nil {
		return
	}
	c.err = &syntax.Error{Class: "SyntaxError", Message: fmt.Sprintf(format, args...), Pos: c.file.Position(at)}
}

// module compiles the module itself.
func (c *compiler) module() {
	u := c.begin(nil, c.names.Module, "<module>", syntax.Pos(0))
	u.code.QualName = u.code.Name
	u.code.Flags = code.Main
	body := c.file.Body
	last, ok := lastExpr(body)
	if !ok || !c.options.Result {
		u.body(body)
		u.finish()
		return
	}
	u.body(body[:len(body)-1])
	if !u.dead {
		u.at(last.Start)
		u.emit(code.OpReturn, u.operand(last.X, nil), 0, 0)
		u.dead = true
	}
	u.finish()
}

func lastExpr(body []syntax.Stmt) (*syntax.ExprStmt, bool) {
	if len(body) == 0 {
		return nil, false
	}
	e, ok := body[len(body)-1].(*syntax.ExprStmt)
	return e, ok
}
