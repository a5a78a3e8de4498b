package server

import "github.com/glovebox-dev/glovebox/api"

// fileRef is what File, Dir and DataFrame have in common.
type fileRef struct{ path, sha256 string }

// mapFiles returns v with every file in it replaced by what f makes of it.
func mapFiles(v any, f func(fileRef) (fileRef, error)) (any, error) {
	switch v := v.(type) {
	case api.File:
		ref, err := f(fileRef{v.Path, v.SHA256})
		v.Path, v.SHA256 = ref.path, ref.sha256
		return v, err
	case api.Dir:
		ref, err := f(fileRef{v.Path, v.SHA256})
		v.Path, v.SHA256 = ref.path, ref.sha256
		return v, err
	case api.DataFrame:
		ref, err := f(fileRef{v.Path, v.SHA256})
		v.Path, v.SHA256 = ref.path, ref.sha256
		return v, err
	case []any:
		return mapItems(v, f)
	case api.Tuple:
		items, err := mapItems(v, f)
		return api.Tuple(items), err
	case *api.Dict:
		return mapDict(v, f)
	}
	return v, nil
}

func mapItems(items []any, f func(fileRef) (fileRef, error)) ([]any, error) {
	mapped := make([]any, len(items))
	var err error
	for i, item := range items {
		if mapped[i], err = mapFiles(item, f); err != nil {
			return nil, err
		}
	}
	return mapped, nil
}

func mapDict(d *api.Dict, f func(fileRef) (fileRef, error)) (*api.Dict, error) {
	mapped := api.NewDict()
	for k, item := range d.All() {
		v, err := mapFiles(item, f)
		if err != nil {
			return nil, err
		}
		mapped.Set(k, v)
	}
	return mapped, nil
}

// contentOnly hides where files of a result are on this host.
func contentOnly(f fileRef) (fileRef, error) {
	f.path = lastElement(f.path)
	if f.sha256 == "" {
		return f, api.Errorf(api.Internal, "the file %s of the result is not stored by its content", f.path)
	}
	return f, nil
}
