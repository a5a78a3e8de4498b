package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// Runc is the program that docker starts containers with, without docker.
func Runc(dir string) *Peer {
	p := ociRuntime(dir, "runc run", "runc", nil)
	p.What, p.Absent = "namespaces and cgroups, shared kernel", lacking("runc", "runc")
	return p
}

// Runsc is gVisor as it is distributed; program is its path.
func Runsc(dir, program string) *Peer {
	p := ociRuntime(dir, "runsc run", program, []string{"--root", runscState(dir), "--network=none", "--platform=systrap"})
	p.What = "plain gVisor, with its own defaults"
	return p
}

func runscState(dir string) string { return filepath.Join(dir, "runsc-state") }

// ForgetRunsc takes back what runsc leaves mounted below dir.
func ForgetRunsc(dir string) {
	_ = unix.Unmount(filepath.Join(runscState(dir), "null-netns"), unix.MNT_DETACH) // it may not have run
}

// ociRuntime is a program with the command line of runc.
func ociRuntime(dir, name, program string, flags []string) *Peer {
	var serial atomic.Int64
	p := &Peer{Name: name}
	p.prepare = func(_ context.Context, w Work) (func(context.Context) *exec.Cmd, error) {
		bundle, err := os.MkdirTemp(dir, filepath.Base(program)+"-bundle-")
		if err != nil {
			return nil, err
		}
		if err := writeBundle(program, bundle, w); err != nil {
			return nil, err
		}
		return func(ctx context.Context) *exec.Cmd {
			id := fmt.Sprintf("glovebox-bench-%d-%d", os.Getpid(), serial.Add(1))
			args := append(append([]string{}, flags...), "run", "--bundle", bundle, id)
			return exec.CommandContext(ctx, program, args...)
		}, nil
	}
	return p
}

// writeBundle changes the program's own default description: our command and our
// files, and no terminal.
func writeBundle(program, bundle string, w Work) error {
	if err := os.Mkdir(filepath.Join(bundle, "rootfs"), 0o755); err != nil {
		return err
	}
	if _, err := Output(exec.Command(program, "spec", "--bundle", bundle)); err != nil {
		return err
	}
	path := filepath.Join(bundle, "config.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var config map[string]any
	if err := json.Unmarshal(data, &config); err != nil {
		return err
	}
	process, ok := config["process"].(map[string]any)
	if !ok {
		return fmt.Errorf("%s has no process", path)
	}
	process["terminal"], process["args"] = false, w.Argv
	config["root"] = map[string]any{"path": w.Root.Tree, "readonly": true}
	if data, err = json.Marshal(config); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
