package sandbox

import (
	"archive/tar"
	"maps"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/tree"
)

// adds reports whether writeFiles writes anything.
func (a *attempt) adds() bool {
	return a.bundle != nil || len(a.secrets.files) > 0 || a.mode == api.Verbatim || a.inputs.Adds(a.mode != api.AutoIO)
}

// writeFiles writes what the run adds, by paths below the root of its cell. Owner
// is root where the program must only read.
func (a *attempt) writeFiles(archive *tar.Writer) error {
	t := tree.New(archive)
	if a.bundle != nil {
		t.Dir(layout.Runner, 0o755, 0)
		t.File(cell.CertificatesFile, a.bundle, 0o444, 0)
	}
	writeSecrets(t, a.secrets)
	a.inputs.Write(t, a.mode != api.AutoIO)
	if a.mode == api.Verbatim { // the runner of auto-IO writes its own
		t.File(a.sourcePath(), []byte(a.task.Code), 0o644, cell.UserID)
	}
	return t.Err()
}

func writeSecrets(t *tree.Writer, s secrets) {
	if len(s.files) == 0 {
		return
	}
	t.Dir(layout.Secrets, 0o755, 0)
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		t.File(layout.Secrets+"/"+name, s.files[name], 0o400, cell.UserID)
	}
}
