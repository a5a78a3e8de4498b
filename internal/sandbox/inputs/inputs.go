// Package inputs takes the inputs of a run into its cell. Open opens what they
// name on the host, before there is a cell. Then they have three forms: files of
// the cell (Write), the arguments of a script (Arguments), and values in JSON for
// an interpreter (Input.JSON).
package inputs

import (
	"encoding/json"
	"errors"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/files"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/tree"
	"github.com/glovebox-dev/glovebox/value"
)

// Input is one input, checked and ready to go into a cell: a value, a file or
// tree, or a collection of those.
type Input struct {
	Param  value.Param
	Type   value.Type    // of the value: the declared one, with str for each file
	value  func() any    // nil for a file
	json   []byte        // of value
	text   func() []byte // of value, as a file or an argument has it; auto-IO has neither
	source *tree.Source  // of a File, Dir or DataFrame
	files  []stagedFile  // of a collection
}

// stagedFile is a file or tree in a collection. It is opened when it is its
// turn, so that a collection may be longer than the list of open files.
type stagedFile struct {
	name string // below /var/inputs/<name>
	path string // on the host
	tree bool
}

// Inputs are all inputs in declaration order.
type Inputs []Input

// path is where the program finds the input as a file, or as the directory of
// the files of a collection.
func (i *Input) path() string { return layout.Inputs + "/" + i.Param.Name }

// holdsFiles reports whether the input is a directory with files.
func (i *Input) holdsFiles() bool {
	return i.source == nil && i.Param.Type.Files() && i.value() != nil
}

// absent reports whether the input is None where there could have been files.
func (i *Input) absent() bool {
	return i.source == nil && i.Param.Type.Files() && i.value() == nil
}

// Close closes what Open has opened.
func (in Inputs) Close() {
	for _, i := range in {
		if i.source != nil {
			i.source.Close()
		}
	}
}

// Open opens the files that the inputs of a signature name. It returns
// invalid_input.
func Open(sig api.Signature, given value.Fields) (Inputs, error) {
	given, err := given.Complete(sig.Inputs)
	if err != nil {
		return nil, api.AsError(err)
	}
	var in Inputs
	for _, p := range sig.Inputs {
		i, err := openInput(p, given)
		if err != nil {
			in.Close()
			return nil, err
		}
		in = append(in, i)
	}
	return in, nil
}

// openInput opens the files of a value that fits its type.
func openInput(p value.Param, given value.Fields) (i Input, err error) {
	i = Input{Param: p, Type: p.Type}
	if !p.Type.Files() && !given.HoldsFiles(p.Name) {
		i.json, _ = given.ValueJSON(p.Name, p.Type)
		i.value = func() any { v, _ := given.Value(p.Name); return v }
		i.text = i.textOnce()
		return i, nil
	}
	v, _ := given.Value(p.Name)
	switch v := v.(type) {
	case value.File, value.DataFrame:
		i.source, err = tree.OpenFile(p.Name, files.PathOf(v))
	case value.Dir:
		i.source, err = tree.OpenDir(p.Name, v.Path)
	default:
		err = i.setValue(v)
	}
	return i, err
}

// setValue takes a value that is not itself a file.
func (i *Input) setValue(v any) (err error) {
	var names files.Names
	i.Type = files.AsPaths(i.Param.Type)
	v, err = files.Replace(i.Param.Type, v, func(file any, name string) (any, error) {
		staged := stagedFile{name: names.Pick(name), path: files.PathOf(file)}
		_, staged.tree = file.(value.Dir)
		i.files = append(i.files, staged)
		return i.path() + "/" + staged.name, i.check(staged)
	})
	if errors.Is(err, files.ErrHidden) {
		return nestedFile(i.Param)
	}
	if err != nil {
		return err
	}
	i.value = func() any { return v }
	i.text = i.textOnce()
	if i.json, err = value.EncodeJSON(i.Type, v); err != nil {
		return api.BadValue(api.InvalidInput, "input", i.Param.Name, err)
	}
	return nil
}

// textOnce returns what makes the text of the value when first asked.
func (i *Input) textOnce() func() []byte {
	typ, of := i.Type, i.value
	return sync.OnceValue(func() []byte {
		text, _ := value.EncodeText(typ, of()) // it was checked, so it fits
		return text
	})
}

func (i *Input) check(f stagedFile) error {
	s, err := i.open(f)
	if err == nil {
		s.Close()
	}
	return err
}

func (i *Input) open(f stagedFile) (*tree.Source, error) {
	if f.tree {
		return tree.OpenDir(i.Param.Name, f.path)
	}
	return tree.OpenFile(i.Param.Name, f.path)
}

func nestedFile(p value.Param) error {
	return api.Errorf(api.InvalidInput, "input %s: expected %s, got a value with a file in it", p.Name, p.Type).
		WithHint("declare an input of type File, Dir or DataFrame for each file").
		WithDetails(api.Details{Field: p.Name, Expected: p.Type.String(), Got: "a value with a file in it"})
}

// JSON returns the value in the JSON encoding of Type; of a file, its path.
func (i *Input) JSON() ([]byte, error) {
	if i.source != nil {
		return json.Marshal(i.path())
	}
	return i.json, nil
}
