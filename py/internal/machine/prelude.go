package machine

import (
	"embed"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/builtins"
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/compile"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// The prelude has the parts of built-in operations that call code of the program. Each
// is an ordinary Python function of the machine, so that it can pause and be saved
// anywhere. Names that begin with an underscore are natives of intrinsic.go.

// preludeFiles are one module, a file a subject.
//
//go:embed prelude/*.py
var preludeFiles embed.FS

// preludeSource joins the files, in the order of their names.
func preludeSource() string {
	entries, err := preludeFiles.ReadDir("prelude")
	if err != nil {
		panic(err) // they are part of the program
	}
	var all strings.Builder
	for _, entry := range entries {
		text, err := preludeFiles.ReadFile("prelude/" + entry.Name())
		if err != nil {
			panic(err)
		}
		all.Write(text)
	}
	return all.String()
}

// definePrelude compiles the functions of the prelude, which all instances
// share.
func definePrelude(r *Registry) {
	mod := compileBundled("<prelude>", preludeSource(), preludeNames(r))
	linked := link(mod, true)
	globals := &ModuleObject{name: "prelude", code: linked, globals: make([]Value, len(mod.Globals))}
	globals.flags = shared
	globals.value()
	for i, name := range mod.Globals {
		if v, ok := r.intrinsics[name]; ok {
			globals.globals[i] = v
		} else if v, ok := r.builtins[name]; ok {
			globals.globals[i] = v
		}
	}
	for _, u := range linked.units[1:] {
		if u.code.QualName != u.code.Name {
			continue
		}
		f := &function{code: u, globals: globals}
		f.flags = shared
		v := f.value()
		preludeDefaults(f)
		r.identify(v, "$$"+u.code.Name)
		for i, name := range mod.Globals {
			if name == u.code.Name {
				globals.globals[i] = v
			}
		}
		r.intrinsics[u.code.Name] = v
		if u.code.Name == "gather" || u.code.Name == "glovebox_map" {
			r.builtins[u.code.Name] = v
		}
	}
	r.prelude = globals
	defineFutureMethods(r)
}

// preludeDefaults gives the functions of the prelude that have defaults what a
// run of the module would have given them.
func preludeDefaults(f *function) {
	switch f.code.code.Name {
	case "gather":
		f.setDefaults(member{"return_exceptions", False})
	case "glovebox_map":
		f.setDefaults(member{"concurrency", Int(0)}, member{"group_name", None}, member{"return_exceptions", True})
	case "build_class":
		f.setDefaults(member{"metaclass", None})
	case "future_add_done_callback":
		f.setDefaults(member{"context", None})
	case "future_cancel":
		f.defaults = []Value{None}
	}
}

func (f *function) setDefaults(all ...member) {
	f.kwDefaults = &Dict{}
	f.kwDefaults.flags = shared
	f.kwDefaults.value()
	for _, d := range all {
		s := SharedStr(d.name)
		f.kwDefaults.insert(s.Ref(), d.v, s.tableHash())
	}
}

// preludeNames are the names that the prelude takes from elsewhere.
func preludeNames(r *Registry) []string {
	var names []string
	for name := range r.intrinsics {
		names = append(names, name)
	}
	slices.Sort(names) // snapshots of one process are for others, which number the names alike
	return names
}

// compileBundled compiles source that belongs to the program itself, where an
// error is a defect.
func compileBundled(name, source string, predeclared []string) *code.Module {
	file, err := syntax.Parse(name, source)
	if err != nil {
		panic("bundled " + name + ": " + err.Error())
	}
	mod, err := compile.Compile(file, compile.Options{Name: name, Predeclared: predeclared, Builtin: builtins.Is})
	if err != nil {
		panic("bundled " + name + ": " + err.Error())
	}
	return mod
}
