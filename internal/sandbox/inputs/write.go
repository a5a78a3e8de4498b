package inputs

import (
	"slices"

	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/tree"
)

// Adds reports whether Write writes anything.
func (in Inputs) Adds(values bool) bool {
	return slices.ContainsFunc(in, func(i Input) bool { return i.isFile(values) })
}

// isFile reports whether there is a file of the input. Code of auto-IO has
// plain values as variables, and no other way to them: each file takes time.
func (i *Input) isFile(values bool) bool {
	return i.source != nil || i.holdsFiles() || values && !i.absent()
}

// Write writes the files of the inputs and, if values says so, a file for each
// plain value.
func (in Inputs) Write(t *tree.Writer, values bool) {
	for _, i := range in {
		switch {
		case i.source != nil:
			t.Source(i.path(), i.source)
		case i.holdsFiles():
			i.writeCollection(t)
		case i.isFile(values):
			t.File(i.path(), i.text(), 0o444, 0)
		}
	}
}

// writeCollection writes the files of a collection, and where its value can be
// read: which file is which item.
func (i *Input) writeCollection(t *tree.Writer) {
	t.Dir(i.path(), 0o755, 0)
	for _, f := range i.files {
		s, err := i.open(f)
		if err != nil {
			t.Fail(err)
			return
		}
		t.Source(i.path()+"/"+f.name, s)
		s.Close()
	}
	t.Dir(layout.Runner, 0o755, 0)
	t.Dir(layout.Values, 0o755, 0)
	t.File(layout.Values+"/"+i.Param.Name, i.text(), 0o444, 0)
}
