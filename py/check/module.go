package check

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/value"
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
	for _, h := range moduleHints {
		if slices.Contains(h.modules, module) || slices.Contains(h.modules, top) {
			return h.hint
		}
	}
	return nearModule(module, modules)
}

func nearModule(module string, modules Modules) string {
	if modules == nil {
		return "no modules are bundled"
	}
	names := modules.Names()
	if near := value.Nearest(module, names); near != "" {
		return "did you mean " + near + "?"
	}
	return "the bundled modules are " + strings.Join(names, ", ")
}
