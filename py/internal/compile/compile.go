// Package compile turns the tree of a program into code for the machine.
//
// It goes over the tree twice. The first pass (analyse*.go) makes a scope for
// every module, function, class and comprehension, and notes which names each
// of them binds and which variables nested functions capture. The second pass
// (everything else) emits instructions, unit by unit. While it does so it keeps
// track of the locals that are certainly bound, so that only doubtful reads are
// checked when the program runs.
//
// Both passes recurse over the tree, whose depth the parser limits, and take
// time and memory in proportion to the source.
package compile

import (
	"fmt"
	"sync"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// Options say how a file is compiled.
type Options struct {
	Name        string                 // of the file, for tracebacks
	Predeclared []string               // names of the first global slots: inputs and tools
	Builtin     func(name string) bool // whether there is a built-in of that name; may be nil
	Result      bool                   // the module returns the value of its last expression statement
	Private     bool                   // no one else reads the globals: those that no function needs live in registers
}

// compilers keeps the memory of compilers for others. The code that one returns
// holds none of it.
var compilers = sync.Pool{New: func() any { return new(compiler) }}

// Compile returns the code of a file. Its error is a *syntax.Error.
func Compile(file *syntax.File, o Options) (*code.Module, error) {
	c := compilers.Get().(*compiler)
	defer c.release()
	c.file, c.options = file, o
	c.top.symbols = c.room.symbols[:0]
	c.spare = append(c.room.spare[:0], c.room.firstUnit())
	c.out = &code.Module{Name: o.Name, Source: file.Source}
	c.lateAnnotations = asksForTexts(file.Body)
	c.analyse()
	if c.err == nil {
		c.module()
	}
	if c.err != nil {
		return nil, c.err
	}
	return c.out, nil
}

// asksForTexts reports whether annotations are to be kept as texts.
func asksForTexts(body []syntax.Stmt) bool {
	for _, st := range body {
		from, ok := st.(*syntax.ImportFrom)
		if !ok || from.Module != "__future__" {
			continue
		}
		for _, a := range from.Names {
			if a.Name == "annotations" {
				return true
			}
		}
	}
	return false
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
	err     *syntax.Error // the first one; the passes go on without effect

	top     scope                     // of the module
	scopes  map[any]*scope            // of the nodes below it that have one
	scope   *scope                    // where the analysis is
	futures map[*syntax.Call]struct{} // calls that start tools without waiting for them
	spare   []*unit                   // finished units, for their buffers

	lateAnnotations bool // from __future__ import annotations

	room room
	size int // instructions so far

	line     int // the line that was asked for last
	lineFrom syntax.Pos
	lineTo   syntax.Pos
}

// room is memory that most programs need, so that it is allocated at once.
type room struct {
	unit    unit
	spare   [4]*unit
	symbols [indexFrom]symbol
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
	u := c.begin(nil, &c.top, "<module>", syntax.Pos(0))
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
