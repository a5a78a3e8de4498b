package sandbox

import (
	"errors"
	"io/fs"

	"github.com/glovebox-dev/glovebox/api"
)

// input is one input, checked and ready to go into a cell: a value, a file or
// tree, or a collection of those.
type input struct {
	param  api.Param
	typ    api.Type     // of value: the declared one, with str for each file
	value  any          // nil for a file
	text   []byte       // the text form of value
	source *source      // of a File, Dir or DataFrame
	files  []stagedFile // of a collection
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
func (i *input) path() string { return inputsDir + "/" + i.param.Name }

// holdsFiles reports whether the input is a directory with files.
func (i *input) holdsFiles() bool {
	return i.source == nil && i.value != nil && i.param.Type.Files()
}

// absent reports whether the input is None where there could have been files.
func (i *input) absent() bool {
	return i.source == nil && i.value == nil && i.param.Type.Files()
}

func (in inputs) close() {
	for _, i := range in {
		if i.source != nil {
			i.source.close()
		}
	}
}

// openInputs checks the given values against the signature and opens the files
// that they name. It returns invalid_input.
func openInputs(sig api.Signature, given map[string]any) (inputs, error) {
	values, err := api.CompleteInputs(sig.Inputs, given)
	if err != nil {
		return nil, err
	}
	var in inputs
	for _, p := range sig.Inputs {
		i, err := openInput(p, values[p.Name])
		if err != nil {
			in.close()
			return nil, err
		}
		in = append(in, i)
	}
	return in, nil
}

// openInput opens the files of a value that fits its type.
func openInput(p api.Param, value any) (i input, err error) {
	i = input{param: p, typ: p.Type}
	switch v := value.(type) {
	case api.File, api.DataFrame:
		i.source, err = openFile(p.Name, pathOf(v))
	case api.Dir:
		i.source, err = openDir(p.Name, v.Path)
	default:
		err = i.setValue(value)
	}
	return i, err
}

// setValue takes a value that is not itself a file.
func (i *input) setValue(value any) (err error) {
	var names fileNames
	i.typ = asPaths(i.param.Type)
	i.value, err = replaceFiles(i.param.Type, value, func(file any, name string) (any, error) {
		staged := stagedFile{name: names.pick(name), path: pathOf(file)}
		_, staged.tree = file.(api.Dir)
		i.files = append(i.files, staged)
		return i.path() + "/" + staged.name, i.check(staged)
	})
	if errors.Is(err, errHidden) {
		return nestedFile(i.param)
	}
	if err != nil {
		return err
	}
	if i.text, err = api.EncodeText(i.typ, i.value); err != nil {
		return api.BadValue(api.InvalidInput, "input", i.param.Name, err)
	}
	return nil
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

func nestedFile(p api.Param) error {
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

// kindOf names a kind of file for people.
func kindOf(mode fs.FileMode) string {
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
