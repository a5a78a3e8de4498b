package check

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/builtins"
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// checker walks a program once, in the order in which it would run, and knows
// at each expression which kinds of values it may have.
type checker struct {
	file    *syntax.File
	options Options
	report  *Report
	tools   map[string]*tool.Tool
	names   resolve.Info
	here    *resolve.Scope
	later   []laterBody     // bodies of functions, which run after what is around them
	named   map[string]bool // unknown names that were reported
	broke   bool            // the loop around the current statement has a break
	ending  kinds           // of the last expression of the module
	seeds   bool            // it calls random.seed
	drawn   []drawnAt       // calls of the module random
	caught  []catches       // what the try statements around the current one catch

	variables  []variable         // by the ID of the symbol
	signatures map[any]*signature // by *tool.Tool and boundParams
}

func newChecker(file *syntax.File, o Options, report *Report) *checker {
	c := &checker{
		file: file, options: o, report: report,
		tools: make(map[string]*tool.Tool, len(o.Tools)), named: map[string]bool{}, signatures: map[any]*signature{},
	}
	for i := range o.Tools {
		c.tools[o.Tools[i].Name] = &o.Tools[i]
	}
	c.resolve()
	return c
}

// laterBody is the body of a function that is still to be walked.
type laterBody struct {
	scope *resolve.Scope
	body  []syntax.Stmt
}

func (c *checker) module(body []syntax.Stmt) {
	ends := c.stmts(body)
	c.result(body, ends)
	for len(c.later) > 0 {
		next := c.later[0]
		c.later = c.later[1:]
		c.here, c.caught = next.scope, nil // a function does not stand in the try of its callers
		c.stmts(next.body)
	}
	c.unseededDraws()
	c.uncalled(body)
}

// find reports a finding. The message is only composed when there is room.
func (c *checker) find(code Code, at syntax.Pos, hint, format string, args ...any) {
	if c.report.omits() {
		return
	}
	place := c.file.Position(at)
	c.report.Problems = append(c.report.Problems, Problem{
		Level: c.levelOf(code), Code: code, Line: place.Line, Column: place.Column, Message: fmt.Sprintf(format, args...), Hint: hint,
	})
}

// in runs walk inside the scope of a node.
func (c *checker) in(node any, walk func()) {
	outside := c.here
	c.here = c.names.Of(node)
	walk()
	c.here = outside
}

// unknown reports a name that means nothing, once.
func (c *checker) unknown(name *syntax.Name, called bool) {
	if c.named[name.ID] {
		return
	}
	c.named[name.ID] = true
	if c.report.omits() {
		return
	}
	short := shorten(name.ID)
	hint := NameHint(name.ID)
	if name.ID == "__import__" && (c.options.Dialect == Strict || c.options.Modules == nil) {
		hint = constructs[importStatement].workaround
	}
	if c.options.Dialect == Strict && hint == "" {
		hint = extendedOnly[name.ID]
	}
	if hint != "" {
		c.find(UnavailableName, name.Start, hint, "%s is not available", short)
		return
	}
	hint = c.nameHint(name.ID, called)
	if called {
		c.find(UnknownTool, name.Start, hint, "%s is not defined: it is no tool, no built-in and no function of the program", short)
		return
	}
	c.find(UnknownName, name.Start, hint, "name %s is not defined", short)
}

// nameHint guesses what was meant by a name that nothing defines.
func (c *checker) nameHint(name string, called bool) string {
	switch name {
	case "true", "false", "none":
		return "use " + strings.ToUpper(name[:1]) + name[1:]
	case "null", "nil", "undefined":
		return "use None"
	}
	if hint := c.missingImport(name); hint != "" {
		return hint
	}
	if near := nearestName(name, c.candidates(called)); near != "" {
		return "did you mean " + near + "?"
	}
	if called && len(c.options.Tools) > 0 {
		return "the tools are " + c.toolNames()
	}
	return ""
}

// missingImport is the hint for the name of a module that was not imported.
func (c *checker) missingImport(name string) string {
	if name == "asyncio" && c.options.Dialect == Strict {
		return "gather is provided directly: await gather(...)"
	}
	if c.options.Modules == nil {
		return ""
	}
	if _, ok := c.options.Modules.Members(name); !ok {
		return ""
	}
	if c.options.Dialect == Strict {
		return "the strict dialect has no modules: use built-ins and tools"
	}
	return "write import " + name + " first"
}

// candidates are the names that a misspelt one may stand for.
func (c *checker) candidates(called bool) []string {
	names := []string{"__name__"}
	for i := range c.options.Tools {
		names = append(names, c.options.Tools[i].Name)
	}
	if !called {
		for _, p := range c.options.Inputs {
			names = append(names, p.Name)
		}
	}
	names = append(names, visible(c.here)...)
	return append(names, builtins.Names()...)
}

// nearestName is value.Nearest, but a name that differs in case only comes first.
func nearestName(name string, names []string) string {
	const longest = 64 // bytes; longer names are not worth a comparison
	if len(name) > longest {
		return ""
	}
	near := names[:0:0]
	for _, candidate := range names {
		if strings.EqualFold(candidate, name) && candidate != name {
			return candidate
		}
		if len(candidate) <= longest && candidate != name {
			near = append(near, candidate)
		}
	}
	return value.Nearest(name, near)
}

func (c *checker) toolNames() string {
	const most = 20
	names := make([]string, 0, most+1)
	for i, t := range c.options.Tools {
		if i == most {
			names = append(names, "...")
			break
		}
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}
