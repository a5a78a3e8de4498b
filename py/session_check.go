package py

import (
	"slices"

	"github.com/glovebox-dev/glovebox/py/check"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// Check finds what would fail in a piece of code, before it is fed: names that
// neither the session nor inputs nor stubs define, calls that do not fit, and
// values of the wrong type. stubs is a source that declares what the host
// offers, by functions and annotated names; what is wrong in it counts for
// nothing. What is no code is left for Feed to refuse.
func (s *Session) Check(source string, inputs []string, stubs string) []Problem {
	file, err := syntax.ParsePiece("<feed>", source)
	if err != nil {
		return nil
	}
	o := Options{Dialect: Extended, Grants: Grants{Clock: true, Random: true}}.checking()
	o.Modules = s.checked()
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] && !check.IsBuiltin(name) {
			seen[name] = true
			o.Names = append(o.Names, name)
		}
	}
	o.Tools, inputs = declared(stubs, inputs)
	for _, t := range o.Tools {
		seen[t.Name] = true
	}
	for _, name := range slices.Concat(inputs, s.globals, s.machine.SystemNames("builtins")) {
		add(name)
	}
	return slices.DeleteFunc(check.Check(file, o).Problems, func(p Problem) bool { return !tellsOfFailure(p) })
}

// checked are those that the session can import, with the names of its system.
func (s *Session) checked() check.Modules { return sessionModules{s.machine} }

type sessionModules struct{ machine *machine.Machine }

func (sessionModules) Names() []string { return importable{}.Names() }

func (m sessionModules) Members(module string) ([]string, bool) {
	names, ok := importable{}.Members(module)
	return append(names, m.machine.SystemNames(module)...), ok
}

var anything = value.Type{Kind: value.KindAny}

// tellsOfFailure reports whether a problem is one of code that comes in pieces:
// a piece without a result, or with a function that is called later, is good.
func tellsOfFailure(p Problem) bool {
	switch p.Code {
	case check.UnknownName, check.UnavailableName, check.UnknownTool, check.UnknownMember, check.WrongCall, check.WrongType,
		check.MissingAwait:
		return p.Level == Finding
	}
	return false
}

// declared returns the functions that stubs declare, and the other names after
// those that are given.
func declared(stubs string, names []string) ([]Tool, []string) {
	file, err := syntax.Parse("<stubs>", stubs)
	if err != nil {
		return nil, names
	}
	var tools []Tool
	for _, st := range file.Body {
		switch st := st.(type) {
		case *syntax.Def:
			if t, ok := stubOf(st); ok {
				tools = append(tools, t)
				continue
			}
			names = append(names, st.Name)
		case *syntax.Class:
			names = append(names, st.Name)
		case *syntax.AnnAssign:
			if n, ok := st.Target.(*syntax.Name); ok {
				names = append(names, n.ID)
			}
		case *syntax.Assign:
			if n, ok := st.Targets[0].(*syntax.Name); ok {
				names = append(names, n.ID)
			}
		}
	}
	return tools, names
}

// stubOf is the tool that a function of stubs stands for; ok is false if it
// takes any number of arguments, or some by position alone.
func stubOf(d *syntax.Def) (t Tool, ok bool) {
	t = Tool{Name: d.Name, Async: d.Async, Result: anything}
	if d.Params == nil {
		return t, true
	}
	for _, p := range d.Params.List {
		if p.Kind != syntax.Ordinary && p.Kind != syntax.KeywordOnly {
			return t, false
		}
		t.Params = append(t.Params, tool.Param{Name: p.Name, Type: anything, HasDefault: p.Default != nil, KeywordOnly: p.Kind == syntax.KeywordOnly})
	}
	return t, !check.IsBuiltin(d.Name)
}
