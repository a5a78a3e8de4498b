package check

import (
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// futureModule can be imported by every extended program; its names change
// nothing, because their features are always on or not observable.
const futureModule = "__future__"

// Modules tells which modules are bundled.
type Modules interface {
	// Names lists the modules that a program may import, in alphabetical order.
	Names() []string
	// Members returns the public names of a module, or nil where they are not
	// known; ok is false when there is no such module.
	Members(module string) (names []string, ok bool)
}

// moduleHint says what to use instead of a module that is not bundled.
func moduleHint(module string, modules Modules) string {
	top, _, _ := strings.Cut(module, ".")
	switch top {
	case "os", "sys", "pathlib", "shutil", "glob", "tempfile", "io", "platform", "stat", "fileinput", "getpass":
		return "the sandbox has no files, environment or system: use inputs, and tools for what is outside"
	case "subprocess", "socket", "ssl", "http", "urllib", "requests", "httpx", "aiohttp", "urllib3", "ftplib", "smtplib":
		return "the sandbox has no network and no processes: call a tool"
	case "threading", "multiprocessing", "concurrent", "queue", "_thread", "sched":
		return "use async tools with await gather(...)"
	case "numpy", "scipy", "sympy", "cmath", "array", "numbers":
		return "use lists with sum, min, max, and the modules math and statistics"
	case "pandas", "polars", "csv", "sqlite3", "sqlalchemy", "duckdb":
		return "use lists of dicts, str.split and sorted, or call a tool"
	case "pydantic", "attr", "attrs":
		return "use dataclasses"
	case "pickle", "marshal", "shelve", "yaml", "toml", "tomllib", "xml":
		return "use json"
	case "logging", "pprint", "traceback", "warnings":
		return "use print"
	case "struct", "binascii", "codecs", "zlib", "gzip", "zipfile":
		return "use int.to_bytes, int.from_bytes, bytes.hex and base64, or call a tool"
	case "secrets":
		return "use random, when the host grants it"
	case "inspect", "ast", "gc", "ctypes", "importlib", "builtins", "types", "weakref", "dis", "code":
		return "programs cannot look into the interpreter"
	}
	return nearModule(module, modules)
}

func nearModule(module string, modules Modules) string {
	if modules == nil {
		return "no modules are bundled"
	}
	names := modules.Names()
	if near := api.Nearest(module, names); near != "" {
		return "did you mean " + near + "?"
	}
	return "the bundled modules are " + strings.Join(names, ", ")
}
