// Package lib holds the bundled modules of the extended dialect that are
// written in Python. They run on the machine like any program, so they pause,
// snapshot and pay wherever the program that imports them does.
//
// A module whose name begins with an underscore is for its siblings only. All
// of them reach what programs may not, such as a class's own namespace,
// through the native module _glovebox.
package lib

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.py
var files embed.FS

// Source returns the text of the module name, such as "itertools" or
// "collections.abc", and whether there is one.
func Source(name string) (string, bool) {
	text, err := files.ReadFile(name + ".py")
	return string(text), err == nil
}

// Names returns the modules that Source knows, in order of their names.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = strings.TrimSuffix(entry.Name(), ".py")
	}
	slices.Sort(names)
	return names
}
