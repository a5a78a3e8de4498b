package scope

import (
	"encoding/json"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Cells do not see defaults of inputs that are files: a digest is permission to
// read the bytes, and the code of a deployed function is such a default. The
// engine fills the defaults in itself.

// shownSignature leaves out the inputs with such a default, and returns their
// names.
func shownSignature(s api.Signature) (api.Signature, []string) {
	var hidden []string
	s.Inputs = slices.DeleteFunc(slices.Clone(s.Inputs), func(p value.Param) bool {
		if !hasFiles(p) {
			return false
		}
		hidden = append(hidden, p.Name)
		return true
	})
	return s, hidden
}

func hasFiles(p value.Param) bool {
	v, given, err := p.DefaultValue()
	if !given || err != nil {
		return err != nil
	}
	for range value.Files(v) {
		return true
	}
	return false
}

// shownVersions also leaves out the tasks themselves.
func shownVersions(versions []api.TaskVersion) []api.TaskVersion {
	versions = slices.Clone(versions)
	for i := range versions {
		versions[i].Task = nil
		versions[i].Signature, _ = shownSignature(versions[i].Signature)
	}
	return versions
}

// shownRun returns what a cell sees of a run below its own.
func shownRun(r *api.Run) (*api.Run, error) {
	if r == nil || r.Signature == nil {
		return r, nil
	}
	shown := *r
	signature, hidden := shownSignature(*r.Signature)
	shown.Signature = &signature
	if len(hidden) == 0 || len(r.Inputs) == 0 {
		return &shown, nil
	}
	var inputs map[string]json.RawMessage
	if err := json.Unmarshal(r.Inputs, &inputs); err != nil {
		return nil, api.Errorf(api.Internal, "inputs of run %s: %w", r.ID, err)
	}
	for _, name := range hidden {
		delete(inputs, name)
	}
	var err error
	if shown.Inputs, err = json.Marshal(inputs); err != nil {
		return nil, api.Errorf(api.Internal, "inputs of run %s: %w", r.ID, err)
	}
	return &shown, nil
}
