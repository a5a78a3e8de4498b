package py

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/check"
	"github.com/glovebox-dev/glovebox/py/internal/builtins"
	"github.com/glovebox-dev/glovebox/py/internal/compile"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/modules"
	"github.com/glovebox-dev/glovebox/py/lib"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// Dialect is the part of Python that a program may use.
type Dialect = check.Dialect

// The dialects.
const (
	Strict   = check.Strict   // the small language that docs/LANGUAGE.md and the prompt describe
	Extended = check.Extended // nearly all of Python, with the bundled modules
)

// Tool is something outside that a program may call by its name.
type Tool = tool.Tool

// Param is a parameter of a tool.
type Param = tool.Param

// Grants say what a program may use besides its tools.
type Grants = check.Grants

// Problem is what the checker has to say about one place of a program.
type Problem = check.Problem

// The levels of a Problem.
const (
	Finding = check.Finding // the program compiles, and would fail when it comes here
	Refusal = check.Refusal // the program does not compile
	Warning = check.Warning // the program runs, and its writer hardly meant this
)

// Options say what a program is compiled for.
type Options struct {
	Name    string        // of the source in messages; default "<code>"
	Dialect Dialect       // default Strict
	Inputs  []value.Param // variables that are set when the program starts
	Output  value.Type    // of the result; the zero Type is any
	Tools   []Tool        // what the program may call
	Grants  Grants        // what Host will have, for Check and Prompt
}

// Program is a compiled program. It is immutable and safe for concurrent use.
type Program struct {
	options Options
	linked  *machine.Program
}

// SourceError says that a source is no program of its dialect.
type SourceError struct {
	Problems []Problem // in the order of the source; at least one
	Omitted  int       // problems beyond those
}

// Error lists the problems, one a line.
func (e *SourceError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	if e.Omitted > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", e.Omitted))
	}
	return strings.Join(lines, "\n")
}

// Compile makes a program of a source. Its error is a *SourceError when the
// source is at fault, and an *api.Error when the options are.
func Compile(source string, o Options) (*Program, error) {
	machine.Boot(modules.Define)
	if o.Name == "" {
		o.Name = "<code>"
	}
	if o.Output.Kind == "" {
		o.Output = value.Type{Kind: value.KindAny}
	}
	checking := o.checking()
	if len(o.Tools) > 0 || len(o.Inputs) > 0 {
		if err := checking.Validate(); err != nil {
			return nil, err
		}
	}
	file, err := syntax.Parse(o.Name, source)
	if err != nil {
		return nil, syntaxError(err)
	}
	if report := check.Forbidden(file, checking); report != nil {
		return nil, &SourceError{report.Problems, report.Omitted}
	}
	mod, err := compile.Compile(file, compile.Options{
		Name: o.Name, Predeclared: o.predeclared(), Builtin: builtins.Is, Result: true, Private: true,
	})
	if err != nil {
		return nil, syntaxError(err)
	}
	linked := machine.Link(mod, o.inputNames(), o.toolPointers())
	linked.Plain = o.Dialect == Strict
	return &Program{options: o, linked: linked}, nil
}

// syntaxError turns the error of the parser or the compiler into ours.
func syntaxError(err error) error {
	e, ok := err.(*syntax.Error)
	if !ok {
		return err
	}
	return &SourceError{Problems: []Problem{check.OfSyntax(e)}}
}

// Check finds, without running it, what would fail in a source: what its
// dialect forbids, unknown names, calls that do not fit, a result that is never
// reached. It returns nothing for a good program.
func Check(source string, o Options) ([]Problem, error) {
	machine.Boot(modules.Define)
	checking := o.checking()
	if err := checking.Validate(); err != nil {
		return nil, err
	}
	file, err := syntax.Parse(o.Name, source)
	if err != nil {
		e, ok := syntaxError(err).(*SourceError)
		if !ok {
			return nil, err
		}
		return e.Problems, nil
	}
	return check.Check(file, checking).Problems, nil
}

// Prompt describes the dialect and the tools to the author of a program, from the
// tables that Check uses.
func Prompt(o Options) string { return check.Prompt(o.checking()) }

func (o Options) checking() check.Options {
	c := check.Options{Dialect: o.Dialect, Inputs: o.Inputs, Tools: o.Tools, Output: o.Output, Grants: o.Grants}
	if o.Dialect == Extended {
		c.Modules = importable{}
	}
	return c
}

func (o Options) inputNames() []string {
	if len(o.Inputs) == 0 {
		return nil
	}
	names := make([]string, len(o.Inputs))
	for i, p := range o.Inputs {
		names[i] = p.Name
	}
	return names
}

func (o Options) predeclared() []string {
	names := o.inputNames()
	for i := range o.Tools {
		names = append(names, o.Tools[i].Name)
	}
	return names
}

func (o Options) toolPointers() []*tool.Tool {
	if len(o.Tools) == 0 {
		return nil
	}
	tools := make([]*tool.Tool, len(o.Tools))
	for i := range o.Tools {
		tools[i] = &o.Tools[i]
	}
	return tools
}

// importable tells the checker which modules can be imported.
type importable struct{}

func (importable) Names() []string {
	machine.Boot(modules.Define)
	var names []string
	for _, name := range append(lib.Names(), machine.NativeModules()...) {
		if name[0] != '_' {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (importable) Members(module string) ([]string, bool) {
	if strings.HasPrefix(module, "_") {
		return nil, false
	}
	return machine.ModuleMembers(module)
}

// RunOptions say under what conditions an instance of a program runs. Zero
// values are the defaults.
type RunOptions struct {
	Limits Limits
	Host   Host
	Key    []byte // authenticates snapshots, see State.Snapshot
}

// Host is what a program may use of the world besides its tools. What is nil
// is refused to it.
type Host = machine.Host

// Start runs the program until it waits for a tool, ends or fails. Its error
// says which input is missing, unknown or of a wrong type; what the program
// itself does is in the State.
func (p *Program) Start(ctx context.Context, inputs map[string]any, o RunOptions) (*State, error) {
	limits, err := o.Limits.complete()
	if err != nil {
		return nil, err
	}
	some, err := value.CheckSome(p.options.Inputs, inputs)
	if err != nil {
		return nil, api.AsError(err)
	}
	if len(inputs) > some.Len() && some.Len() == len(p.options.Inputs) {
		return nil, unknownInput(inputs, p.options.Inputs)
	}
	return p.start(ctx, some, limits, o)
}

// StartChecked is Start with inputs that were checked, in the types that the
// program declares: they are not checked again.
func (p *Program) StartChecked(ctx context.Context, inputs value.Fields, o RunOptions) (*State, error) {
	limits, err := o.Limits.complete()
	if err != nil {
		return nil, err
	}
	if inputs, err = inputs.Complete(p.options.Inputs); err != nil {
		return nil, api.AsError(err)
	}
	return p.start(ctx, inputs, limits, o)
}

func (p *Program) start(ctx context.Context, inputs value.Fields, limits machine.Limits, o RunOptions) (*State, error) {
	s := &State{program: p, machine: machine.New(p.linked, limits, o.Host), key: o.Key}
	if err := s.setInputs(inputs); err != nil {
		return nil, err
	}
	s.machine.Start(ctx)
	return s, nil
}

func (s *State) setInputs(inputs value.Fields) error {
	for i, p := range s.program.options.Inputs {
		if !inputs.Has(p.Name) {
			return api.BadValue(api.InvalidInput, "input", p.Name, fmt.Errorf("it is missing; expected %s", p.Type))
		}
		v, err := s.importInput(p.Name, inputs)
		if err != nil {
			return api.BadValue(api.InvalidInput, "input", p.Name, err)
		}
		s.machine.SetInput(i, v)
	}
	return nil
}

func (s *State) importInput(name string, inputs value.Fields) (machine.Value, error) {
	if count, items, ok := inputs.Floats(name); ok {
		return s.machine.ImportFloats(count, items)
	}
	x, _ := inputs.Value(name)
	return s.machine.Import(x)
}

func unknownInput(inputs map[string]any, params []value.Param) error {
	var names []string
	for _, p := range params {
		names = append(names, p.Name)
	}
next:
	for name := range inputs {
		for _, p := range params {
			if p.Name == name {
				continue next
			}
		}
		return api.BadValue(api.InvalidInput, "input", name,
			fmt.Errorf("the program has no input of that name; it has: %s", strings.Join(names, ", ")))
	}
	return nil
}
