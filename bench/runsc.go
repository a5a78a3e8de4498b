package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/glovebox-dev/glovebox/bench/peer"
)

const gvisorModule = "gvisor.dev/gvisor"

// buildRunsc builds the command line of gVisor, of the version that Glovebox
// has in it. It wants modules that Glovebox does not, so it is built in a module
// of its own, once.
func (s *site) buildRunsc(ctx context.Context) (path string, err error) {
	version := requirement(gvisorModule)
	if version == "" {
		return "", errors.New("the bench was built without gVisor")
	}
	if path = filepath.Join(s.dir, "runsc-"+version); exists(path) {
		return path, nil
	}
	module := filepath.Join(s.scratch, "runsc-module")
	if err := os.Mkdir(module, 0o755); err != nil {
		return "", err
	}
	for _, argv := range [][]string{
		{"go", "mod", "init", "runsc"},
		{"go", "get", gvisorModule + "/runsc@" + version},
		{"go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path + ".part", gvisorModule + "/runsc"},
	} {
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		// It is linked statically: it executes itself where there are no libraries.
		cmd.Dir, cmd.Env = module, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
		if _, err := peer.Output(cmd); err != nil {
			return "", err
		}
	}
	return path, os.Rename(path+".part", path)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
