package py

import (
	"context"
	"errors"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/check"
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/modules"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/value"
)

// Console is a Program that comes in pieces: each piece finds the variables,
// functions and classes of those before, also of one that failed half-way.
// Inputs and tools are declared as those of a Program, and State drives the
// piece under way as it drives a program. It is used by one goroutine at a time.
//
// What a piece has started continues with the next, which can await the calls and
// tasks of it. A piece that a limit or Abort ended gives them up. A piece that
// assigns to the name of a tool has a variable of that name, as in Python, and so
// have all pieces after it.
//
// Of the Limits, Time, Steps and Output are those of a piece, Memory and Depth
// hold at any moment, and Calls are counted in all. No limit ends the console.
type Console struct {
	feeds
	state *State
	binds map[string]bool // the globals that pieces set, and whether functions do
}

// NewConsole makes a console that has run nothing. inputs are values that were
// checked, in the types that o declares.
func NewConsole(o Options, inputs value.Fields, r RunOptions) (*Console, error) {
	machine.Boot(modules.Define)
	limits, err := r.Limits.complete()
	if err != nil {
		return nil, err
	}
	if err := o.checking().Validate(); err != nil {
		return nil, err
	}
	if inputs, err = inputs.Complete(o.Inputs); err != nil {
		return nil, api.AsError(err)
	}
	c := emptyConsole(o)
	c.state.machine = machine.Begin(c.program, limits, r.Host)
	return c, c.state.setInputs(inputs)
}

func emptyConsole(o Options) *Console {
	if o.Name == "" {
		o.Name = "<code>"
	}
	if o.Output.Kind == "" {
		o.Output = anything
	}
	c := &Console{binds: map[string]bool{}}
	p := machine.NewConsole(o.inputNames(), o.toolPointers())
	p.Plain = o.Dialect == Strict
	c.feeds = feeds{program: p, compile: c.compile, slots: map[string]int{}}
	c.know(o.predeclared())
	c.state = &State{program: &Program{options: o, linked: p}, pieces: true}
	return c
}

// compile makes code of a piece.
func (c *Console) compile(f fed, declared []string) (*code.Module, error) {
	file, err := syntax.Parse(f.name, f.source)
	if err != nil {
		return nil, syntaxError(err)
	}
	return compilePiece(file, c.options().checking(), declared, false)
}

func (c *Console) options() *Options { return &c.state.program.options }

// ErrBroken is returned for code that comes after a defect of the interpreter
// ended a piece. Nothing is known of the variables then.
var ErrBroken = errors.New("a defect of the interpreter has ended the console")

// ConsolePrompt is Prompt for the author of the pieces of a console.
func ConsolePrompt(o Options) string {
	c := o.checking()
	c.Pieces = true
	return check.Prompt(c)
}

// Feed runs a piece until it waits, ends or fails. Its result is the value of
// its last expression, or None if it ends with a statement. The error is a
// *SourceError if it is no code of the dialect, or a *LimitError if all pieces
// together are too long, and then nothing has changed. name is that of the source
// in tracebacks; by default it is Options.Name.
func (c *Console) Feed(ctx context.Context, name, source string) error {
	if c.state.Status() == Waiting {
		return ErrBusy
	}
	if c.state.machine.Broken() {
		return ErrBroken
	}
	if err := c.add(name, source); err != nil {
		return err
	}
	c.state.machine.Next(ctx, c.program)
	return nil
}

// add compiles a piece after the others.
func (c *Console) add(name, source string) error {
	if name == "" {
		name = c.options().Name
	}
	mod, err := c.extend(fed{name: name, source: source})
	if err != nil {
		return err
	}
	for name, inside := range mod.Binds() {
		c.binds[name] = c.binds[name] || inside
	}
	return nil
}

// State is where the console stands, in terms of the last piece; it is done before
// the first one. Calls are those of all pieces, with ids that go on counting, and
// so are Canceled: a call that nobody awaited stays among them. Of Usage, Memory and
// Calls are those of all pieces. It cannot be saved: a snapshot has no code.
func (c *Console) State() *State { return c.state }

// Abort ends a piece that waits by an exception that it cannot catch.
func (c *Console) Abort(class, message string) error {
	if c.state.Status() != Waiting {
		return ErrNotWaiting
	}
	c.state.machine.Abort(class, message)
	return nil
}

// Check finds what would fail in a piece before it is fed, as Check does for a
// whole source. It knows the variables of the pieces before, but not what they
// hold. A piece needs no result.
func (c *Console) Check(source string) []Problem {
	file, err := syntax.Parse(c.options().Name, source)
	if err != nil {
		if refused, ok := syntaxError(err).(*SourceError); ok {
			return refused.Problems
		}
		return nil
	}
	return slices.DeleteFunc(check.Check(file, c.checking()).Problems, func(p Problem) bool {
		return p.Code == check.MissingResult || p.Code == check.NeverCalled
	})
}

// checking is what a piece is checked against now. An input or a tool whose name
// was assigned to is a variable like others.
func (c *Console) checking() check.Options {
	o := c.options().checking()
	o.Inputs = slices.DeleteFunc(slices.Clone(o.Inputs), func(p value.Param) bool { return c.assigned(p.Name) })
	tools := o.Tools
	o.Tools = nil
	for i, t := range tools {
		if c.state.machine.HasTool(i) && !c.unsettled(t.Name) {
			o.Tools = append(o.Tools, t)
		}
	}
	for name := range c.binds {
		if c.unsettled(name) || c.state.machine.Bound(c.slots[name]) {
			o.Names = append(o.Names, name)
		}
	}
	slices.Sort(o.Names)
	return o
}

func (c *Console) assigned(name string) bool {
	_, ok := c.binds[name]
	return ok
}

// unsettled reports whether the piece under way, or a function that is yet to be
// called, may set a global.
func (c *Console) unsettled(name string) bool {
	return c.binds[name] || c.assigned(name) && c.state.Status() == Waiting
}
