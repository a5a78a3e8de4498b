package runsc

import (
	"fmt"
	"slices"

	specs "github.com/opencontainers/runtime-spec/specs-go"
)

// guestCapabilities are what process 1 needs to own files, to become another
// user and to end processes. SYS_RESOURCE and SYS_PTRACE are for the limits of
// its children, which never have them; SYS_ADMIN it gives up before it serves anybody.
var guestCapabilities = []string{
	"CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_SETFCAP", "CAP_SETPCAP",
	"CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SYS_CHROOT", "CAP_SYS_RESOURCE", "CAP_SYS_PTRACE", "CAP_SYS_ADMIN",
}

// The program of process 1 is a file of the cell, so that a saved cell can be
// restored: it is found again, where a descriptor of the host would not be.
const (
	guestDir  = "/run/glovebox/guest"
	guestPath = guestDir + "/" + GuestFile
)

// GuestFile is the name of the program of process 1 in its file system.
const GuestFile = "glovebox-guest"

func newSpec(cfg Config) *specs.Spec {
	return &specs.Spec{
		Version:  specs.Version,
		Hostname: cfg.Host,
		Root:     &specs.Root{Path: "/"},
		Process: &specs.Process{
			Args: append([]string{guestPath}, cfg.Args...),
			Env:  []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
			Cwd:  "/",
			Capabilities: &specs.LinuxCapabilities{
				Bounding: guestCapabilities, Effective: guestCapabilities, Permitted: guestCapabilities,
			},
		},
		Mounts: mounts(cfg.Shared, cfg.Temporary),
		Linux: &specs.Linux{
			Namespaces: []specs.LinuxNamespace{
				{Type: specs.PIDNamespace}, {Type: specs.NetworkNamespace}, {Type: specs.IPCNamespace},
				{Type: specs.UTSNamespace}, {Type: specs.MountNamespace},
			},
		},
	}
}

func mounts(shared int64, temporary []string) []specs.Mount {
	size := fmt.Sprintf("size=%d", shared)
	out := []specs.Mount{
		{Destination: "/proc", Type: "proc", Source: "proc", Options: []string{"nosuid", "noexec", "nodev"}},
		{Destination: "/dev", Type: "dev", Source: "dev", Options: []string{"nosuid"}},
		{Destination: "/sys", Type: "sysfs", Source: "sysfs", Options: []string{"nosuid", "noexec", "nodev", "ro"}},
		{Destination: "/dev/shm", Type: "tmpfs", Source: "tmpfs", Options: []string{"nosuid", "nodev", "mode=1777", size}},
		{Destination: guestDir, Type: "erofs", Source: "guest", Options: []string{"ro", "nosuid", "nodev"}},
	}
	if !slices.Contains(temporary, "/tmp") {
		// Without this gVisor mounts a tmpfs there if the directory is empty. What
		// is of an unknown type it leaves out.
		out = append(out, specs.Mount{Destination: "/tmp", Type: "nothing"})
	}
	for _, dir := range temporary {
		mode := "mode=0755"
		if dir == "/tmp" {
			mode = "mode=1777"
		}
		out = append(out, specs.Mount{Destination: dir, Type: "tmpfs", Source: "tmpfs", Options: []string{"nosuid", "nodev", mode, size}})
	}
	return out
}
