package runsc

import (
	"fmt"
	"os"

	"gvisor.dev/gvisor/pkg/sentry/control"
	"gvisor.dev/gvisor/pkg/state/statefile"
	"gvisor.dev/gvisor/pkg/urpc"
	"gvisor.dev/gvisor/runsc/boot"
)

// save writes the state of the cell, which lives on: gVisor calls that resume.
func (s *sandboxed) save(files []*os.File) error {
	if len(files) != savedCount {
		return fmt.Errorf("saving needs %d files, and %d came", savedCount, len(files))
	}
	return s.client.Call(boot.ContMgrCheckpoint, &control.SaveOpts{
		Metadata:      statefile.CompressionLevelNone.ToMetadata(),
		HavePagesFile: true,
		Resume:        true,
		FilePayload:   urpc.FilePayload{Files: files},
	}, nil)
}

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
