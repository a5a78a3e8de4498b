package value

import (
	"iter"
	"maps"
	"slices"
)

// FileRef is what a File, a Dir and a DataFrame have in common.
type FileRef struct {
	Path   string
	Size   int64 // bytes
	SHA256 string
}

// RefOf returns the FileRef of a File, Dir or DataFrame, and whether v is one.
func RefOf(v any) (FileRef, bool) {
	switch v := v.(type) {
	case File:
		return FileRef(v), true
	case Dir:
		return FileRef{v.Path, v.Size, v.SHA256}, true
	case DataFrame:
		return FileRef{v.Path, v.Size, v.SHA256}, true
	}
	return FileRef{}, false
}

// In returns file, a File, Dir or DataFrame, with r in place of its own.
func (r FileRef) In(file any) any {
	switch v := file.(type) {
	case File:
		v.Path, v.Size, v.SHA256 = r.Path, r.Size, r.SHA256
		return v
	case Dir:
		v.Path, v.Size, v.SHA256 = r.Path, r.Size, r.SHA256
		return v
	case DataFrame:
		v.Path, v.Size, v.SHA256 = r.Path, r.Size, r.SHA256
		return v
	}
	return file
}

// Files yields every File, Dir and DataFrame in a value, in the order in which
// MapFiles visits them. There are none in a set.
func Files(v any) iter.Seq[FileRef] {
	return func(yield func(FileRef) bool) { eachFile(v, yield) }
}

// eachFile reports whether yield wants more.
func eachFile(v any, yield func(FileRef) bool) bool {
	if ref, ok := RefOf(v); ok {
		return yield(ref)
	}
	switch v := v.(type) {
	case []any:
		return eachFileOf(v, yield)
	case Tuple:
		return eachFileOf(v, yield)
	case *Dict:
		for _, item := range v.All() {
			if !eachFile(item, yield) {
				return false
			}
		}
	}
	return true
}

func eachFileOf(items []any, yield func(FileRef) bool) bool {
	for _, item := range items {
		if !eachFile(item, yield) {
			return false
		}
	}
	return true
}

// MapFiles returns a value with every File, Dir and DataFrame in it replaced by
// what f makes of it, in order, up to the first error. It leaves v as it is, and
// copies no container without files.
func MapFiles(v any, f func(file any) (any, error)) (any, error) {
	mapped, _, err := mapFiles(v, f)
	return mapped, err
}

func mapFiles(v any, f func(file any) (any, error)) (mapped any, found bool, err error) {
	switch v := v.(type) {
	case File, Dir, DataFrame:
		if mapped, err = f(v); err != nil {
			return nil, true, err
		}
		return mapped, true, nil
	case []any:
		return mapItems(v, f)
	case Tuple:
		return mapItems(v, f)
	case *Dict:
		return mapDict(v, f)
	}
	return v, false, nil
}

func mapItems[S ~[]any](items S, f func(file any) (any, error)) (any, bool, error) {
	var mapped S
	for i, item := range items {
		n, found, err := mapFiles(item, f)
		if err != nil {
			return nil, found, err
		}
		if !found {
			continue
		}
		if mapped == nil {
			mapped = slices.Clone(items)
		}
		mapped[i] = n
	}
	if mapped == nil {
		return items, false, nil
	}
	return mapped, true, nil
}

func mapDict(d *Dict, f func(file any) (any, error)) (any, bool, error) {
	var mapped *Dict
	for key, item := range d.All() {
		n, found, err := mapFiles(item, f)
		if err != nil {
			return nil, found, err
		}
		if !found {
			continue
		}
		if mapped == nil {
			mapped = &Dict{of: d.of, keys: slices.Clone(d.keys), values: maps.Clone(d.values)}
		}
		mapped.values[key] = n
	}
	if mapped == nil {
		return d, false, nil
	}
	return mapped, true, nil
}
