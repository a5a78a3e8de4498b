package gvisor

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/opencontainers/cgroups"

	"github.com/glovebox-dev/glovebox/api"
)

// make makes the cgroup, still empty, with the limits of a starting sandbox.
func (l *cgroupLimit) make() error {
	if err := l.manager.Apply(-1); err != nil {
		return api.Errorf(api.IsolationUnavailable, "making the cgroup of the cell: %w", err)
	}
	if err := l.manager.Set(limitsOf(l.manager, l.resources.Memory+startAllowance, 0)); err != nil {
		return api.Errorf(api.IsolationUnavailable, "setting the limits of the cell: %w", err)
	}
	return nil
}

// tryStart tries out what start needs, where old kernels lack it.
func tryStart(m cgroups.Manager) error {
	if !cgroups.IsCgroup2UnifiedMode() {
		return nil
	}
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if err := startWithin(cmd, m.Path("")); err != nil {
		return err
	}
	return cmd.Wait()
}

// start starts a process that is in the cgroup from its first moment. To move
// it there later would take the kernel 10 ms, in which no process of the host
// can start another.
func (l *cgroupLimit) start(cmd *exec.Cmd) error {
	if cgroups.IsCgroup2UnifiedMode() {
		return startWithin(cmd, l.manager.Path(""))
	}
	return startFromWithin(cmd, l.manager.GetPaths())
}

// startWithin is for version 2, where a process can be made in a cgroup.
func startWithin(cmd *exec.Cmd, path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(dir.Fd())
	return cmd.Start()
}

// startFromWithin is for version 1, where a process is made in the cgroup of
// the thread that makes it. This thread, which must be locked, goes there, and
// afterwards to the cgroup above. A thread that moves itself waits for nothing.
func startFromWithin(cmd *exec.Cmd, paths map[string]string) (err error) {
	for _, path := range paths {
		defer moveThread(filepath.Dir(path))
		if err := moveThread(path); err != nil {
			return fmt.Errorf("entering the cgroup of the cell: %w", err)
		}
	}
	return cmd.Start()
}

// moveThread moves the calling thread to a cgroup; 0 stands for itself.
func moveThread(path string) error {
	return os.WriteFile(filepath.Join(path, "tasks"), []byte("0"), 0)
}
