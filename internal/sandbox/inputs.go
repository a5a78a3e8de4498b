package sandbox

import (
	"errors"
	"io/fs"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/value"
)

// input is one input, checked and ready to go into a cell: a value, a file or
// tree, or a collection of those.
type input struct {
	param  value.Param
	typ    value.Type    // of value: the declared one, with str for each file
	value  func() any    // nil for a file
	json   []byte        // of value
	text   func() []byte // of value, as a file or an argument has it; auto-IO has neither
	source *source       // of a File, Dir or DataFrame
	files  []stagedFile  // of a collection
}

// stagedFile is a file or tree in a collection. It is opened when it is its
// turn, so that a collection may be longer than the list of open files.
type stagedFile struct {
	name string // below /var/inputs/<name>
	path string // on the host
	tree bool
}

// inputs are all inputs in declaration order.
type inputs []input

// path is where the program finds the input as a file, or as the directory of
// the files of a collection.
func (i *input) path() string { return layout.Inputs + "/" + i.param.Name }

// holdsFiles reports whether the input is a directory with files.
func (i *input) holdsFiles() bool {
	return i.source == nil && i.param.Type.Files() && i.value() != nil
}

// absent reports whether the input is None where there could have been files.
func (i *input) absent() bool {
	return i.source == nil && i.param.Type.Files() && i.value() == nil
}

func (in inputs) close() {
	for _, i := range in {
		if i.source != nil {
			i.source.close()
		}
	}
}

// openInputs opens the files that the inputs of a signature name. It returns
// invalid_input.
func openInputs(sig api.Signature, given value.Fields) (inputs, error) {
	given, err := given.Complete(sig.Inputs)
	if err != nil {
		return nil, api.AsError(err)
	}
	var in inputs
	for _, p := range sig.Inputs {
		i, err := openInput(p, given)
		if err != nil {
			in.close()
			return nil, err
		}
		in = append(in, i)
	}
	return in, nil
}

// openInput opens the files of a value that fits its type.
func openInput(p value.Param, given value.Fields) (i input, err error) {
	i = input{param: p, typ: p.Type}
	if !p.Type.Files() && !given.HoldsFiles(p.Name) {
		i.json, _ = given.ValueJSON(p.Name, p.Type)
		i.value = func() any { v, _ := given.Value(p.Name); return v }
		i.text = i.textOnce()
		return i, nil
	}
	v, _ := given.Value(p.Name)
	switch v := v.(type) {
	case value.File, value.DataFrame:
		i.source, err = openFile(p.Name, files.PathOf(v))
	case value.Dir:
		i.source, err = openDir(p.Name, v.Path)
	default:
		err = i.setValue(v)
	}
	return i, err
}

// setValue takes a value that is not itself a file.
func (i *input) setValue(v any) (err error) {
	var names files.Names
	i.typ = files.AsPaths(i.param.Type)
	v, err = files.Replace(i.param.Type, v, func(file any, name string) (any, error) {
		staged := stagedFile{name: names.Pick(name), path: files.PathOf(file)}
		_, staged.tree = file.(value.Dir)
		i.files = append(i.files, staged)
		return i.path() + "/" + staged.name, i.check(staged)
	})
	if errors.Is(err, files.ErrHidden) {
		return nestedFile(i.param)
	}
	if err != nil {
		return err
	}
	i.value = func() any { return v }
	i.text = i.textOnce()
	if i.json, err = value.EncodeJSON(i.typ, v); err != nil {
		return api.BadValue(api.InvalidInput, "input", i.param.Name, err)
	}
	return nil
}

// textOnce returns what makes the text of the value when first asked.
func (i *input) textOnce() func() []byte {
	typ, of := i.typ, i.value
	return sync.OnceValue(func() []byte {
		text, _ := value.EncodeText(typ, of()) // it was checked, so it fits
		return text
	})
}

func (i *input) check(f stagedFile) error {
	s, err := i.open(f)
	if err == nil {
		s.close()
	}
	return err
}

func (i *input) open(f stagedFile) (*source, error) {
	if f.tree {
		return openDir(i.param.Name, f.path)
	}
	return openFile(i.param.Name, f.path)
}

func nestedFile(p value.Param) error {
	return api.Errorf(api.InvalidInput, "input %s: expected %s, got a value with a file in it", p.Name, p.Type).
		WithHint("declare an input of type File, Dir or DataFrame for each file").
		WithDetails(api.Details{Field: p.Name, Expected: p.Type.String(), Got: "a value with a file in it"})
}

// badSource is the error of an input that names something on the host which
// cannot go into a cell.
func badSource(name, path, got, expected string) *api.Error {
	return api.Errorf(api.InvalidInput, "input %s: %q is %s, expected %s", name, path, got, expected).
		WithDetails(api.Details{Field: name, Got: got, Expected: expected})
}

// unreadable explains why a path of the host could not be opened.
func unreadable(name, path string, err error) *api.Error {
	if errors.Is(err, fs.ErrNotExist) {
		return badSource(name, path, "not there", "an existing path").WithHint("check the path; it is one of the host")
	}
	return api.Errorf(api.InvalidInput, "input %s: %w", name, err).WithDetails(api.Details{Field: name})
}
