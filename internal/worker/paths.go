package worker

import (
	"path/filepath"

	"github.com/glovebox-dev/glovebox/api"
)

// needsFiles reports whether the function can only run where the paths of this
// host are paths too: its signature or one of its inputs names files.
func needsFiles(s api.Signature, inputs map[string]any) bool {
	for _, p := range append(s.Inputs[:len(s.Inputs):len(s.Inputs)], s.Outputs...) {
		if p.Type.Files() {
			return true
		}
	}
	for _, v := range inputs {
		for range api.Files(v) {
			return true
		}
	}
	return false
}

// checkPaths refuses files in the outputs of a worker that shares no files:
// their paths would be read on this host. Paths of one that does are absolute.
func checkPaths(outputs map[string]any, shared bool) error {
	expected := "a value without files, because the worker shares none with this host"
	if shared {
		expected = "an absolute path"
	}
	for name, v := range outputs {
		for file := range api.Files(v) {
			if shared && filepath.IsAbs(file.Path) {
				continue
			}
			return api.Errorf(api.BadOutput, "output %s names the file %.200q, expected %s", name, file.Path, expected).
				WithDetails(api.Details{Field: name, Expected: expected, Got: api.Shorten(file.Path, 200)})
		}
	}
	return nil
}
