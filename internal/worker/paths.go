package worker

import (
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
)

// MapPaths returns v with the path of every file in it replaced.
func MapPaths(v any, replace func(path string) (string, error)) (any, error) {
	var err error
	switch v := v.(type) {
	case api.File:
		v.Path, err = replace(v.Path)
		return v, err
	case api.Dir:
		v.Path, err = replace(v.Path)
		return v, err
	case api.DataFrame:
		v.Path, err = replace(v.Path)
		return v, err
	case []any:
		return mapItems(v, replace)
	case api.Tuple:
		items, err := mapItems(v, replace)
		return api.Tuple(items), err
	case *api.Dict:
		return mapDict(v, replace)
	}
	return v, nil
}

func mapItems(items []any, replace func(string) (string, error)) ([]any, error) {
	mapped := make([]any, len(items))
	for i, item := range items {
		var err error
		if mapped[i], err = MapPaths(item, replace); err != nil {
			return nil, err
		}
	}
	return mapped, nil
}

func mapDict(d *api.Dict, replace func(string) (string, error)) (*api.Dict, error) {
	mapped := api.NewDict()
	for k, v := range d.All() {
		n, err := MapPaths(v, replace)
		if err != nil {
			return nil, err
		}
		mapped.Set(k, n)
	}
	return mapped, nil
}

// needsFiles reports whether the function can only run where the paths of this
// host are paths too: its signature or one of its inputs names files.
func needsFiles(s api.Signature, inputs map[string]any) bool {
	for _, p := range append(s.Inputs[:len(s.Inputs):len(s.Inputs)], s.Outputs...) {
		if p.Type.Files() {
			return true
		}
	}
	found := false
	for _, v := range inputs {
		_, _ = MapPaths(v, func(path string) (string, error) { found = true; return path, nil })
	}
	return found
}

// checkPaths refuses files in the outputs of a worker that shares no files:
// their paths would be read on this host. Paths of one that does are absolute.
func checkPaths(outputs map[string]any, shared bool) error {
	for name, v := range outputs {
		_, err := MapPaths(v, func(path string) (string, error) {
			if shared && filepath.IsAbs(path) {
				return path, nil
			}
			expected := "a value without files, because the worker shares none with this host"
			if shared {
				expected = "an absolute path"
			}
			return "", api.Errorf(api.BadOutput, "output %s names the file %.200q, expected %s", name, path, expected).
				WithDetails(api.Details{Field: name, Expected: expected, Got: shorten(path, 200)})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
