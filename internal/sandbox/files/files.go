// Package files knows where the files are in a type and in its values: a
// list[File] is a directory of files in a cell, its value a list of their paths.
// Inputs and outputs ask it, and each decides by itself what a file may be.
package files

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/glovebox-dev/glovebox/value"
)

// IsFile reports whether values of t are files or trees and not text.
func IsFile(t value.Type) bool {
	return t.Kind == value.KindFile || t.Kind == value.KindDir || t.Kind == value.KindDataFrame
}

// Required takes Optional off a type.
func Required(t value.Type) (inner value.Type, optional bool) {
	if inner, ok := t.Optional(); ok {
		return inner, true
	}
	return t, false
}

// CollectionOf returns the type of the files in a list, a dict or a tuple of
// any length.
func CollectionOf(t value.Type) (file value.Type, ok bool) {
	switch {
	case t.Kind == value.KindList && len(t.Args) == 1, t.Kind == value.KindTuple && anyLength(t):
		file = t.Args[0]
	case t.Kind == value.KindDict && len(t.Args) == 2 && t.Args[0].Kind == value.KindStr:
		file = t.Args[1]
	}
	return file, IsFile(file)
}

func anyLength(tuple value.Type) bool {
	return len(tuple.Args) == 2 && tuple.Args[1].Kind == value.KindEllipsis
}

// Mixed reports whether files are in a union with another type than None: then
// a path could also be a str.
func Mixed(t value.Type) bool {
	if inner, optional := Required(t); optional {
		return Mixed(inner)
	}
	return t.Kind == value.KindUnion && t.Files() || slices.ContainsFunc(t.Args, Mixed)
}

// AsPaths is the type of values in which files are their paths.
func AsPaths(t value.Type) value.Type {
	if IsFile(t) {
		return value.Type{Kind: value.KindStr}
	}
	var args []value.Type
	for _, arg := range t.Args {
		args = append(args, AsPaths(arg))
	}
	return value.Type{Kind: t.Kind, Args: args}
}

// ErrHidden is the error of a file where the type speaks of none.
var ErrHidden = errors.New("a file inside a value of type Any")

// Replace returns v, which fits t, with something else for each file.
// Name is the key of a file that is in a dict, else the last part of its path.
func Replace(t value.Type, v any, replace func(file any, name string) (any, error)) (any, error) {
	if v != nil && IsFile(t) {
		return replace(v, filepath.Base(PathOf(v)))
	}
	if inner, optional := Required(t); optional && v != nil {
		return Replace(inner, v, replace)
	}
	if !t.Files() && Holds(v) {
		return nil, ErrHidden
	}
	switch v := v.(type) {
	case []any:
		return replaceItems(t, v, replace)
	case value.Tuple:
		items, err := replaceItems(t, v, replace)
		return value.Tuple(items), err
	case *value.Dict:
		return replaceInDict(t, v, replace)
	}
	return v, nil
}

func replaceItems(t value.Type, items []any, replace func(any, string) (any, error)) ([]any, error) {
	if !t.Files() {
		return items, nil
	}
	out := make([]any, len(items))
	for i, item := range items {
		elem := t.Args[0]
		if t.Kind == value.KindTuple && !anyLength(t) {
			elem = t.Args[i]
		}
		replaced, err := Replace(elem, item, replace)
		if err != nil {
			return nil, err
		}
		out[i] = replaced
	}
	return out, nil
}

func replaceInDict(t value.Type, d *value.Dict, replace func(any, string) (any, error)) (*value.Dict, error) {
	if !t.Files() {
		return d, nil
	}
	out := value.NewDictBy(d.KeyKind())
	for key, item := range d.All() {
		named := replace
		if file, _ := Required(t.Args[1]); IsFile(file) {
			named = func(file any, _ string) (any, error) { return replace(file, key) }
		}
		replaced, err := Replace(t.Args[1], item, named)
		if err != nil {
			return nil, err
		}
		out.Set(key, replaced)
	}
	return out, nil
}

// PathOf is the path that a File, Dir or DataFrame names.
func PathOf(file any) string {
	ref, _ := value.RefOf(file)
	return ref.Path
}

// Holds finds a File, Dir or DataFrame in a value whose type does not say
// so. Type Any can describe one, and code in a cell must not choose which file
// of the host the caller reads next.
func Holds(v any) bool {
	for range value.Files(v) {
		return true
	}
	return false
}

// Describe names a kind of file for people.
func Describe(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a regular file"
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}
