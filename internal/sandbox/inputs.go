package sandbox

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// input is one input, checked and ready to go into a cell.
type input struct {
	param  api.Param
	value  any     // of a scalar or a collection
	text   []byte  // its text form, for /var/inputs/<name>
	source *source // of a File, Dir or DataFrame, instead of both
}

// inputs are all inputs in declaration order.
type inputs []input

// path is where the program finds the input as a file.
func (i *input) path() string { return inputsDir + "/" + i.param.Name }

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
	if err := checkNames(sig, given); err != nil {
		return nil, err
	}
	var in inputs
	for _, p := range sig.Inputs {
		i, err := openInput(p, given[p.Name])
		if err != nil {
			in.close()
			return nil, err
		}
		in = append(in, i)
	}
	return in, nil
}

// checkNames finds inputs that are missing, and such that nobody declared.
func checkNames(sig api.Signature, given map[string]any) error {
	declared := map[string]bool{}
	for _, p := range sig.Inputs {
		declared[p.Name] = true
		if _, ok := given[p.Name]; !ok {
			return wrongInput(sig, p.Name, "input %s is missing", p.Type.String(), "nothing")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !declared[name] {
			return wrongInput(sig, name, "input %s is not declared", "only declared inputs", "a value")
		}
	}
	return nil
}

func wrongInput(sig api.Signature, name, format, expected, got string) error {
	return api.Errorf(api.InvalidInput, format+"; the inputs are (%s)", quote(name), describeParams(sig.Inputs)).
		WithDetails(api.Details{Field: name, Expected: expected, Got: got})
}

// describeParams writes parameters as Python does: x: int, y: str.
func describeParams(params []api.Param) string {
	words := make([]string, len(params))
	for i, p := range params {
		words[i] = p.Name + ": " + p.Type.String()
	}
	return strings.Join(words, ", ")
}

func openInput(p api.Param, given any) (input, error) {
	value, err := api.Normalize(p.Type, given)
	if err != nil {
		return input{}, api.BadValue(api.InvalidInput, "input", p.Name, err)
	}
	i := input{param: p}
	switch v := value.(type) {
	case api.File:
		i.source, err = openFile(p.Name, v.Path)
	case api.DataFrame:
		i.source, err = openFile(p.Name, v.Path)
	case api.Dir:
		i.source, err = openDir(p.Name, v.Path)
	default:
		if holdsFile(value) {
			return input{}, nestedFile(p)
		}
		i.value = value
		if i.text, err = api.EncodeText(p.Type, value); err != nil {
			err = api.BadValue(api.InvalidInput, "input", p.Name, err)
		}
	}
	return i, err
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
