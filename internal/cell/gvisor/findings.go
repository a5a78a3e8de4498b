package gvisor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/guest/binary"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// Findings implements cell.Driver.
func (d *Driver) Findings(context.Context) []cell.Finding {
	found := []cell.Finding{
		{Subject: "isolation", OK: true, Detail: "gVisor " + runsc.Version() + ", platform systrap, " + runtime.GOARCH},
		programFinding(d.config.Program),
		userNamespaces(),
		guestFinding(),
	}
	found = append(found, d.limits().findings()...)
	found = append(found, d.strangers()...)
	return append(found,
		cell.Finding{Subject: "process limit", OK: true, Detail: "RLIMIT_NPROC, enforced by gVisor in the cell"},
		cell.Finding{Subject: "open files limit", OK: true, Detail: "RLIMIT_NOFILE, enforced by gVisor in the cell"},
		cell.Finding{Subject: "disk limit", OK: true, Detail: "the size of the private writable layer, backed by a file without a name in " + d.config.Dir},
		cell.Finding{Subject: "time limit", OK: true, Detail: "the sandbox process is killed, and with it all of its process namespace"},
		cell.Finding{Subject: "network", OK: true, Detail: "no device but loopback; the only way out is the proxy on the host"},
	)
}

// strangers reports what is in the directory of the cells and is no cell.
func (d *Driver) strangers() (found []cell.Finding) {
	entries, _ := os.ReadDir(d.config.Dir) // an error shows where cells are started
	for _, entry := range entries {
		if !isCell(entry) {
			found = append(found, cell.Finding{
				Subject: "cells", Detail: filepath.Join(d.config.Dir, entry.Name()) + " is no cell, and is left alone", Remedy: "move it away",
			})
		}
	}
	return found
}

func guestFinding() cell.Finding {
	f := cell.Finding{Subject: "guest program", OK: true, Detail: "embedded"}
	if _, err := binary.Bytes(); err != nil {
		return cell.Finding{Subject: f.Subject, Fatal: true, Detail: err.Error(), Remedy: "build the program with: make build"}
	}
	return f
}

// userNamespaces tries one out: there are several switches that forbid them.
func userNamespaces() cell.Finding {
	f := cell.Finding{Subject: "user namespaces"}
	if err := tryUserNamespace(); err != nil {
		f.Fatal = true
		f.Detail = fmt.Sprintf("the kernel refuses to make one: %v", err)
		f.Remedy = "as root: sysctl -w user.max_user_namespaces=15000; on Ubuntu also: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0; on old Debian: sysctl -w kernel.unprivileged_userns_clone=1"
		return f
	}
	f.OK, f.Detail = true, "can be made"
	return f
}

func tryUserNamespace() error {
	attr := &os.ProcAttr{Files: []*os.File{nil, nil, nil}, Sys: &unix.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWPID,
		UidMappings: idMap(os.Getuid()),
		GidMappings: idMap(os.Getgid()),
	}}
	process, err := os.StartProcess("/bin/true", []string{"true"}, attr)
	if err != nil {
		return err
	}
	_, err = process.Wait()
	return err
}

// idMap maps the user nobody of a new user namespace to an id outside.
func idMap(outside int) []syscall.SysProcIDMap {
	const nobody = 65534
	return []syscall.SysProcIDMap{{ContainerID: nobody, HostID: outside, Size: 1}}
}
