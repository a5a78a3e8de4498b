package runsc

import (
	"fmt"
	"os"
	"path/filepath"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/runsc/cmd/sandboxsetup"
)

// confine locks the sandbox in, for ever: an empty, read-only root directory,
// and no capabilities, not even in its own user namespace. It comes before
// the first process of a cell is made, so that none inherits anything.
func confine() error {
	// Capabilities are looked up in /proc, which the new root lacks.
	none, err := sandboxsetup.ResolveThreadCaps(&specs.LinuxCapabilities{}, nil)
	if err != nil {
		return fmt.Errorf("reading capabilities: %w", err)
	}
	if err := emptyRoot(); err != nil {
		return fmt.Errorf("empty root directory: %w", err)
	}
	if err := none.Apply(nil); err != nil {
		return fmt.Errorf("dropping capabilities: %w", err)
	}
	return nil
}

// ownMaps is what gVisor reads of itself under /proc. It gets a copy, and no
// procfs that would have to be taken away again.
const ownMaps = "/proc/self/maps"

func emptyRoot() error {
	const root = "/tmp" // in a mount namespace of our own
	maps, err := os.ReadFile(ownMaps)
	if err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_SLAVE|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("separating mounts: %w", err)
	}
	if err := unix.Mount("glovebox", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mounting: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(root+ownMaps), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(root+ownMaps, maps, 0o400); err != nil {
		return err
	}
	if err := unix.Mount("", root, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("making it read-only: %w", err)
	}
	return sandboxsetup.PivotRoot(root)
}
