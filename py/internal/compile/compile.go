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
	"strings"

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

// Compile returns the code of a file. Its error is a *syntax.Error.
func Compile(file *syntax.File, o Options) (*code.Module, error) {
	c := &compiler{file: file, options: o, plainLines: strings.IndexByte(file.Source, '\r') < 0, line: 1}
	c.lineEnd = -1
	c.out = &code.Module{Name: o.Name, Source: file.Source}
	c.analyse()
	if c.err == nil {
		c.module()
	}
	if c.err != nil {
		return nil, c.err
	}
	return c.out, nil
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

	plainLines bool // only \n ends lines
	lineStart  int  // the line that lineOf looked at last
	lineEnd    int
	line       int
}

// fail records an error, unless there was one before.
func (c *compiler) fail(at syntax.Pos, format string, args ...any) {
	if c.err != nil {
		return
	}
	c.err = &syntax.Error{Message: fmt.Sprintf(format, args...), Pos: c.file.Position(at)}
}

// lineOf returns the line of a place. It remembers the last one, as places are
// asked for nearly in order.
func (c *compiler) lineOf(at syntax.Pos) int {
	if !c.plainLines {
		return c.file.Position(at).Line
	}
	p := int(at)
	for p > c.lineEnd && c.lineEnd < len(c.file.Source) {
		if c.lineEnd >= 0 {
			c.line++
		}
		c.lineStart = c.lineEnd + 1
		c.lineEnd = len(c.file.Source)
		if n := strings.IndexByte(c.file.Source[c.lineStart:], '\n'); n >= 0 {
			c.lineEnd = c.lineStart + n
		}
	}
	for p < c.lineStart {
		c.line--
		c.lineEnd = c.lineStart - 1
		c.lineStart = strings.LastIndexByte(c.file.Source[:c.lineEnd], '\n') + 1
	}
	return c.line
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
