package machine

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// systemModule defines the names that a session has beside those of other
// programs, if its host grants a system: paths that can be looked at, files and
// an environment. What they do, the host does.
const systemModule = "_system"

// filesModule has the class of open files.
const filesModule = "_files"

// systemNames are those names, by the module that has them.
var systemNames = map[string][]string{
	"builtins": {"open"},
	"pathlib":  {"Path", "PosixPath"},
	"os": {"chdir", "environ", "getcwd", "getcwdb", "getenv", "listdir", "makedirs", "mkdir", "remove", "rename", "replace", "rmdir",
		"scandir", "stat", "unlink", "urandom", "walk"},
	"os.path": {"exists", "getsize", "isdir", "isfile", "islink"},
}

// SystemNames returns what a module has of those names, if there is a system.
func (m *Machine) SystemNames(module string) []string {
	if m.host.Directory == nil {
		return nil
	}
	return systemNames[module]
}

// prepareSystem imports the module of those names. Feed does it before code
// runs, since an import may not come in between.
func (m *Machine) prepareSystem() error {
	if m.host.Directory == nil {
		return nil
	}
	if m.host.AskModules {
		if _, err := m.importNow(hostedModule); err != nil {
			return err
		}
	}
	_, err := m.importNow(systemModule)
	return err
}

// systemName returns what a module has of those names.
func (m *Machine) systemName(module, name string) (Value, bool) {
	mod, ok := m.modules[systemModule]
	if !ok || !slices.Contains(systemNames[module], name) {
		return Value{}, false
	}
	v, err := mod.attr(SharedStr(name))
	return v, err == nil
}

// defineSystemCalls gives the module _calls what _system needs.
func defineSystemCalls(mod *ModuleBuilder) {
	mod.Counted("directory", 0, 0, func(m *Machine, a Args) (Value, error) {
		if m.host.Directory == nil {
			return Value{}, raise.Runtime("no system is granted to this program")
		}
		return m.Str(m.host.Directory())
	})
	mod.Counted("change_directory", 1, 1, func(m *Machine, a Args) (Value, error) {
		path := a.v[0].Str()
		if path == nil || m.host.ChangeDirectory == nil {
			return Value{}, raise.Runtime("no directory can be changed by this program")
		}
		m.host.ChangeDirectory(path.s)
		return None, nil
	})
	mod.Counted("scans", 0, 0, func(m *Machine, a Args) (Value, error) { return Bool(m.host.AskScans), nil })
	mod.Counted("ask", 1, 8, func(m *Machine, a Args) (Value, error) {
		what := a.v[0].Str()
		if what == nil || m.host.Directory == nil || !m.program.asks {
			return Value{}, raise.Runtime("no system is granted to this program")
		}
		return m.askHost(AskSystem, what.s, a.Rest(), contStore, Value{})
	})
}

// pathClass is the class of paths that enter.
func (im *importer) pathClass() (mod *ModuleObject, class string, err error) {
	if mod, ok := im.m.modules[systemModule]; ok {
		return mod, "PosixPath", nil
	}
	mod, err = im.m.importNow("pathlib")
	return mod, "PurePosixPath", err
}

// openFile makes a file of what its host has opened.
func (im *importer) openFile(n *graph.Node) (Value, error) {
	if len(n.Names) != 1 {
		return Value{}, raise.Type("an open file without a mode cannot enter this sandbox")
	}
	mod, err := im.m.importNow(filesModule)
	if err != nil {
		return Value{}, err
	}
	path, err := im.m.Str(n.Text)
	if err != nil {
		return Value{}, err
	}
	mode, err := im.m.Str(n.Names[0])
	if err != nil {
		return Value{}, err
	}
	return im.m.importInstance(mod, "File", Field{"name", path}, Field{"mode", mode}, Field{"closed", Bool(false)},
		Field{"_path", path}, Field{"_data", None}, Field{"_at", Int(n.Int)})
}

// openFile is an open file that goes back to the host.
func (e *grapher) openFile(v Value, o *Instance) (uint32, error) {
	path, mode, at := o.field("_path").Str(), o.field("mode").Str(), o.field("_at")
	if path == nil || mode == nil || !at.IsInt() {
		return e.repr(v)
	}
	return e.add(graph.Node{Kind: graph.File, Text: path.s, Names: []string{mode.s}, Int: at.Int()}, len(path.s)+len(mode.s))
}

// namedTuple makes a named tuple, or a plain one in a session without a system:
// the class is made by code.
func (im *importer) namedTuple(n *graph.Node, items []Value) (Value, error) {
	values := (&Tuple{items: items}).value()
	mod, ok := im.m.modules[systemModule]
	if !ok {
		return values, nil
	}
	made, err := mod.Member(SharedStr("_named"))
	fn := made.function()
	if err != nil || fn == nil {
		return Value{}, ErrMalformed
	}
	title, err := im.m.Str(n.Text[strings.LastIndexByte(n.Text, '.')+1:])
	if err != nil {
		return Value{}, err
	}
	names := make([]Value, len(n.Names))
	for i, name := range n.Names {
		if names[i], err = im.m.Str(name); err != nil {
			return Value{}, err
		}
	}
	all, err := im.m.NewList([]Value{title, (&Tuple{items: names}).value(), values})
	if err != nil {
		return Value{}, err
	}
	return im.m.runNow(fn.code, fn, fn.globals, all)
}
