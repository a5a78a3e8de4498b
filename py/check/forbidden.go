package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// Forbidden finds every construct that the dialect does not have. It returns
// nil for a program that can be compiled, and then has allocated nothing.
func Forbidden(file *syntax.File, o Options) *Report {
	g := guard{file: file, dialect: o.Dialect, modules: o.Modules}
	g.stmts(file.Body)
	if g.report != nil && o.Dialect == Strict {
		adviseOfLists(file, o, g.report)
	}
	return g.report
}

// adviseOfLists lets the checker, which knows what is a list, correct the hints.
// Its other findings are dropped.
func adviseOfLists(file *syntax.File, o Options, report *Report) {
	aside := &Report{Problems: slices.Clone(report.Problems)}
	newChecker(file, o, aside).module(file.Body)
	copy(report.Problems, aside.Problems)
}

// guard walks the tree and reports what the dialect does not have.
type guard struct {
	file    *syntax.File
	dialect Dialect
	modules Modules
	report  *Report
}

// meet reports the construct if the dialect does not have it. The node is
// where the construct is used.
func (g *guard) meet(c construct, at syntax.Pos, node any) {
	if !constructs[c].allowed(g.dialect) {
		g.refuse(c, at, node)
	}
}

func (g *guard) refuse(c construct, at syntax.Pos, node any) {
	if g.report.omits() {
		return
	}
	name := constructs[c].name
	if excerpt := excerpt(g.file.Source, node); excerpt != "" {
		name += " (" + excerpt + ")"
	}
	hint := rewrite(g.file.Source, node)
	if hint == "" {
		hint = constructs[c].workaround
	}
	g.add(Problem{
		Code: ForbiddenConstruct, Construct: constructs[c].name, Hint: hint,
		Message: fmt.Sprintf("%s is not available in the %s dialect", name, g.dialect),
	}, at)
}

func (g *guard) add(p Problem, at syntax.Pos) {
	if g.report == nil {
		g.report = new(Report)
	}
	place := g.file.Position(at)
	p.Level, p.Line, p.Column = Refusal, place.Line, place.Column
	g.report.Problems = append(g.report.Problems, p)
}

// attribute reports a name that leads into the interpreter.
func (g *guard) attribute(name string, at syntax.Pos) {
	if AttributeAllowed(name, g.dialect) || g.report.omits() {
		return
	}
	g.add(Problem{
		Code: ForbiddenAttribute, Construct: constructs[reflection].name, Hint: attributeHint(name),
		Message: fmt.Sprintf("attribute %s is not available", name),
	}, at)
}

// imports checks import a, b.c as d.
func (g *guard) imports(s *syntax.Import) {
	if g.dialect == Strict {
		g.meet(importStatement, s.Start, s)
		return
	}
	for _, alias := range s.Names {
		g.bundled(alias.Name, alias.Start)
	}
}

// importsFrom checks from a import b, c.
func (g *guard) importsFrom(s *syntax.ImportFrom) {
	switch {
	case g.dialect == Strict:
		g.meet(importStatement, s.Start, s)
		return
	case strings.HasPrefix(s.Module, "."):
		g.meet(relativeImport, s.Start, s)
	case s.Module != futureModule:
		g.bundled(s.Module, s.Start)
	}
	for _, alias := range s.Names {
		if alias.Name == "*" {
			g.meet(starImport, s.Start, s)
		}
		g.attribute(alias.Name, alias.Start)
	}
}

func (g *guard) bundled(module string, at syntax.Pos) {
	if g.modules != nil {
		if _, ok := g.modules.Members(module); ok {
			return
		}
	}
	if g.report.omits() {
		return
	}
	g.add(Problem{
		Code: ForbiddenImport, Construct: constructs[unbundledImport].name, Hint: moduleHint(module, g.modules),
		Message: fmt.Sprintf("module %s is not available", shorten(module)),
	}, at)
}
