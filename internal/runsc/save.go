package runsc

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/glovebox-dev/glovebox/internal/tuning"
	"gvisor.dev/gvisor/pkg/sentry/control"
	"gvisor.dev/gvisor/pkg/state/statefile"
	"gvisor.dev/gvisor/pkg/urpc"
	"gvisor.dev/gvisor/runsc/boot"
)

// upper writes the tree of the writable layer. GVisor writes the pages too, which
// the host has in a file of its own already.
func (s *sandboxed) upper(files []*os.File) error {
	if len(files) != upperCount {
		return fmt.Errorf("the tree needs %d files, and %d came", upperCount, len(files))
	}
	tree, nothing := files[0], files[1]
	return s.client.Call(boot.ContMgrFSSave, &boot.FSSaveArgs{
		FilePayload: urpc.FilePayload{Files: []*os.File{nothing, tree, nothing, nothing}},
	}, nil)
}

// save writes the state of the cell, which lives on: gVisor calls that resume. The
// garbage of that is collected afterwards, when programs do not stand still for it.
func (s *sandboxed) save(files []*os.File) error {
	if len(files) != savedCount {
		return fmt.Errorf("saving needs %d files, and %d came", savedCount, len(files))
	}
	if tuning.On(tuning.GC) {
		debug.SetGCPercent(savePercent)
		defer debug.SetGCPercent(settledPercent)
	}
	return s.client.Call(boot.ContMgrCheckpoint, &control.SaveOpts{
		Metadata:      statefile.CompressionLevelNone.ToMetadata(),
		HavePagesFile: true,
		Resume:        true,
		FilePayload:   urpc.FilePayload{Files: files},
	}, nil)
}

// savePercent bounds the garbage of a save, as a part of what a sandbox holds.
const savePercent = 400

// restore makes the cell what another one was when it was saved, and returns when
// its programs run. GVisor has a new kernel then and a new control server, which
// leaves the old client behind.
func (s *sandboxed) restore() error {
	files, closeFiles := opened(s.saved)
	defer closeFiles()
	if err := s.client.Call(boot.ContMgrRestore, &boot.RestoreOpts{
		HavePagesFile: true,
		FilePayload:   urpc.FilePayload{Files: files},
	}, nil); err != nil {
		return fmt.Errorf("restoring: %w", err)
	}
	s.client = s.next.client
	return s.next.replace()
}
