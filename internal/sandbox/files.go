package sandbox

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// isFile reports whether values of t are files or trees and not text.
func isFile(t api.Type) bool {
	return t.Kind == api.KindFile || t.Kind == api.KindDir || t.Kind == api.KindDataFrame
}

// required takes Optional off a type.
func required(t api.Type) (inner api.Type, optional bool) {
	if inner, ok := t.Optional(); ok {
		return inner, true
	}
	return t, false
}

// collectionOf returns the type of the files in a list, a dict or a tuple of
// any length.
func collectionOf(t api.Type) (file api.Type, ok bool) {
	switch {
	case t.Kind == api.KindList && len(t.Args) == 1, t.Kind == api.KindTuple && anyLength(t):
		file = t.Args[0]
	case t.Kind == api.KindDict && len(t.Args) == 2 && t.Args[0].Kind == api.KindStr:
		file = t.Args[1]
	}
	return file, isFile(file)
}

func anyLength(tuple api.Type) bool {
	return len(tuple.Args) == 2 && tuple.Args[1].Kind == api.KindEllipsis
}

// mixesFiles reports whether files are in a union with something else than
// None: then nobody can tell a path from a str.
func mixesFiles(t api.Type) bool {
	if inner, optional := required(t); optional {
		return mixesFiles(inner)
	}
	return t.Kind == api.KindUnion && t.Files() || slices.ContainsFunc(t.Args, mixesFiles)
}

// asPaths is the type of values in which files are their paths.
func asPaths(t api.Type) api.Type {
	if isFile(t) {
		return api.Type{Kind: api.KindStr}
	}
	var args []api.Type
	for _, arg := range t.Args {
		args = append(args, asPaths(arg))
	}
	return api.Type{Kind: t.Kind, Args: args}
}

// errHidden is the error of a file where the type speaks of none.
var errHidden = errors.New("a file inside a value of type Any")

// replaceFiles returns v, which fits t, with something else for each file.
// Name is the key of a file that is in a dict, else the last part of its path.
func replaceFiles(t api.Type, v any, replace func(file any, name string) (any, error)) (any, error) {
	if v != nil && isFile(t) {
		return replace(v, filepath.Base(pathOf(v)))
	}
	if inner, optional := required(t); optional && v != nil {
		return replaceFiles(inner, v, replace)
	}
	if !t.Files() && holdsFile(v) {
		return nil, errHidden
	}
	switch v := v.(type) {
	case []any:
		return replaceItems(t, v, replace)
	case api.Tuple:
		items, err := replaceItems(t, v, replace)
		return api.Tuple(items), err
	case *api.Dict:
		return replaceInDict(t, v, replace)
	}
	return v, nil
}

func replaceItems(t api.Type, items []any, replace func(any, string) (any, error)) ([]any, error) {
	if !t.Files() {
		return items, nil
	}
	out := make([]any, len(items))
	for i, item := range items {
		elem := t.Args[0]
		if t.Kind == api.KindTuple && !anyLength(t) {
			elem = t.Args[i]
		}
		replaced, err := replaceFiles(elem, item, replace)
		if err != nil {
			return nil, err
		}
		out[i] = replaced
	}
	return out, nil
}

func replaceInDict(t api.Type, d *api.Dict, replace func(any, string) (any, error)) (*api.Dict, error) {
	if !t.Files() {
		return d, nil
	}
	out := api.NewDictBy(d.KeyKind())
	for key, item := range d.All() {
		named := replace
		if file, _ := required(t.Args[1]); isFile(file) {
			named = func(file any, _ string) (any, error) { return replace(file, key) }
		}
		replaced, err := replaceFiles(t.Args[1], item, named)
		if err != nil {
			return nil, err
		}
		out.Set(key, replaced)
	}
	return out, nil
}

func pathOf(file any) string {
	ref, _ := api.RefOf(file)
	return ref.Path
}

// fileNames gives each file of a collection a name of its own. The zero value
// is ready.
type fileNames struct {
	taken map[string]bool
	next  map[string]int // the first index to try in front of a name
	count int
}

// longestPrefix is the room for an index in front of a name.
const longestPrefix = 20 // bytes

// pick returns the name that a file should have. One that is no safe file name
// becomes the index of the file, and one that is taken gets an index in front.
// It never tries an index twice: a cell could make that take forever.
func (n *fileNames) pick(wanted string) string {
	if n.taken == nil {
		n.taken, n.next = map[string]bool{}, map[string]int{}
	}
	index := n.count
	n.count++
	if api.CheckName(wanted, false) != nil {
		wanted = strconv.Itoa(index)
	}
	name, tail := wanted, strings.ToValidUTF8(wanted[:min(len(wanted), maxEntryName-longestPrefix)], "")
	for i := max(index, n.next[tail]); n.taken[name]; i++ {
		name = strconv.Itoa(i) + "-" + tail
		n.next[tail] = i + 1
	}
	n.taken[name] = true
	return name
}
