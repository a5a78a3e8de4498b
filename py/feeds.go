package py

import (
	"slices"

	"github.com/glovebox-dev/glovebox/py/check"
	"github.com/glovebox-dev/glovebox/py/internal/builtins"
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/compile"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// feeds are the pieces of code that a Session or a Console was given, as the one
// program that they make.
type feeds struct {
	program *machine.Program
	compile func(f fed, declared []string) (*code.Module, error)
	globals []string
	slots   map[string]int // of the globals
	fed     []fed
	size    int // of the code of fed, in bytes
}

// maxSource bounds the code of a session, in bytes. All of it stays, because its
// functions may be called later.
const maxSource = 16 << 20

// fed is a piece of code.
type fed struct {
	name, source string
	inputs       []string // the names of what a session was given with it
}

// extend adds a piece of code to the program.
func (p *feeds) extend(f fed) (*code.Module, error) {
	if len(f.source) > maxSource-p.size {
		return nil, &LimitError{Limit: MemoryLimit, Max: maxSource}
	}
	mod, err := p.compile(f, p.declared(f.inputs))
	if err != nil {
		return nil, err
	}
	p.program, p.fed, p.size = p.program.Extend(mod), append(p.fed, f), p.size+len(f.source)
	p.know(mod.Globals)
	return mod, nil
}

// know gives the globals that are new their slots.
func (p *feeds) know(globals []string) {
	for i := len(p.globals); i < len(globals); i++ {
		p.slots[globals[i]] = i
	}
	p.globals = globals
}

// declared are the globals with those that inputs add.
func (p *feeds) declared(inputs []string) []string {
	names := slices.Clip(p.globals)
	added := map[string]bool{}
	for _, name := range inputs {
		if _, ok := p.slots[name]; !ok && !added[name] {
			added[name] = true
			names = append(names, name)
		}
	}
	return names
}

// compilePiece makes code of a piece that was read.
func compilePiece(file *syntax.File, checking check.Options, declared []string, spots bool) (*code.Module, error) {
	if report := check.Forbidden(file, checking); report != nil {
		return nil, &SourceError{report.Problems, report.Omitted}
	}
	mod, err := compile.Compile(file, compile.Options{Name: file.Name, Predeclared: declared, Builtin: builtins.Is, Result: true, Spots: spots})
	if err != nil {
		return nil, syntaxError(err)
	}
	return mod, nil
}
