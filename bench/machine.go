package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/bench/report"
)

// machine describes where the bench runs.
func machine() report.Machine {
	m := report.Machine{CPU: processor(), Cores: runtime.NumCPU(), LoadBegan: load()}
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		m.Kernel = fmt.Sprintf("%s %s %s", unix.ByteSliceToString(name.Sysname[:]), unix.ByteSliceToString(name.Release[:]), unix.ByteSliceToString(name.Machine[:]))
	}
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		m.Memory = int64(info.Totalram) * int64(info.Unit)
	}
	return m
}

// processor is the model of the first one.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// load is the load of the last 1, 5 and 15 minutes.
func load() (l [3]float64) {
	data, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		_, _ = fmt.Sscan(string(data), &l[0], &l[1], &l[2]) // the kernel writes numbers
	}
	return l
}

// versions are those of the programs that are compared.
func (s *site) versions(ctx context.Context) []report.Version {
	docker := ""
	if d, err := s.docker(); err == nil {
		docker = d.Version()
	}
	python := ""
	if root, err := s.roots.Base(ctx); err == nil {
		python = printed("chroot", root.Tree, "/usr/bin/python3", "--version")
	}
	return []report.Version{
		{Program: "Glovebox", Version: printed(s.program, "version")},
		{Program: "gVisor", Version: requirement(gvisorModule)},
		{Program: "Go", Version: runtime.Version()},
		{Program: "docker", Version: docker},
		{Program: "runc", Version: printed("runc", "--version")},
		{Program: "bwrap", Version: printed("bwrap", "--version")},
		{Program: "Python in the cells", Version: python},
		{Program: "Python of the client", Version: printed("python3", "--version")},
	}
}

// printed is the first line that a command prints, or nothing.
func printed(argv ...string) string {
	out, err := exec.Command(argv[0], argv[1:]...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}

// requirement is the version of a module that this program is built with.
func requirement(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Version
		}
	}
	return ""
}
