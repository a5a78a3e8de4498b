package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/glovebox-dev/glovebox"
)

// code is the work. Peers have no typed inputs and outputs, so they print.
const code = "x = 21; print({'result': x * 2})"

// addDocker imports the root file system into a docker daemon of its own and
// returns the image as an archive. The daemon has no network, so that it needs
// none of the host.
func (b *bench) addDocker(base string) (archive string, err error) {
	archive = filepath.Join(b.dir, "image.tar")
	docker, err := b.startDocker()
	if err != nil {
		return "", err
	}
	if _, err := output(docker("image", "inspect", "glovebox-bench")); err != nil {
		if _, err := output(docker("import", base, "glovebox-bench")); err != nil {
			return "", err
		}
	}
	if _, err := os.Stat(archive); err != nil {
		if _, err := output(docker("save", "-o", archive, "glovebox-bench")); err != nil {
			return "", err
		}
	}
	b.add("docker run", "docker run --rm --network none, runc, shared kernel", func() (string, error) {
		return output(docker("run", "--rm", "--network", "none", "glovebox-bench", "python3", "-c", code))
	})
	return archive, nil
}

func (b *bench) startDocker() (func(...string) *exec.Cmd, error) {
	// The path of a socket is limited to 108 bytes, so it is not below dir.
	state, err := os.MkdirTemp("", "glovebox-bench-")
	if err != nil {
		return nil, err
	}
	b.later(func() { os.RemoveAll(state) })
	socket := "unix://" + filepath.Join(state, "docker.sock")
	log, err := os.Create(filepath.Join(b.dir, "dockerd.log"))
	if err != nil {
		return nil, err
	}
	b.later(func() { log.Close() })
	daemon := exec.Command("dockerd", "--iptables=false", "--ip6tables=false", "--bridge=none", "--host", socket,
		"--data-root", filepath.Join(b.dir, "docker"), "--exec-root", filepath.Join(state, "exec"), "--pidfile", filepath.Join(state, "pid"))
	daemon.Stdout, daemon.Stderr = log, log
	if err := daemon.Start(); err != nil {
		return nil, fmt.Errorf("starting dockerd, of Debian's docker.io: %w", err)
	}
	b.later(func() { daemon.Process.Signal(os.Interrupt); daemon.Wait() })
	docker := func(args ...string) *exec.Cmd {
		return exec.Command("docker", append([]string{"--host", socket}, args...)...)
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		_, err := output(docker("version"))
		if err == nil {
			return docker, nil
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("dockerd does not answer; its log is %s: %w", log.Name(), err)
		}
	}
}

// addGlovebox measures both faces: the whole program, and the SDK in a process
// that is already there, as a daemon would be.
func (b *bench) addGlovebox(archive string) error {
	home := filepath.Join(b.dir, "home")
	b.add("glovebox run", "the whole program, gVisor, typed inputs and outputs", func() (string, error) {
		cmd := exec.Command(b.program, "run", "--cache", "disable", "--image", archive, "-c", "result = x * 2", "-i", "x:int=21", "-o", "result:int")
		cmd.Env = append(os.Environ(), "GLOVEBOX_HOME="+home)
		return output(cmd)
	})
	gb, err := glovebox.Open(glovebox.Options{Home: home})
	if err != nil {
		return err
	}
	b.later(func() { gb.Close() })
	double := glovebox.Sandbox{
		Code: "result = x * 2", Inputs: []string{"x: int"}, Outputs: []string{"result: int"},
		Image: glovebox.Image{Ref: archive}, Cache: "disable",
	}
	b.add("glovebox Go SDK", "the same from a Go program", func() (string, error) {
		result, err := gb.Run(context.Background(), double, glovebox.Values{"x": 21})
		if err != nil {
			return "", err
		}
		b.stages = result.Timings
		n, err := glovebox.Get[int](result, "result")
		return fmt.Sprint(n), err
	})
	return nil
}

// addFloor adds what shows how much of the time is Python and how much is the
// machinery of containers: no isolation worth the name.
func (b *bench) addFloor(base string) error {
	bundle := filepath.Join(b.dir, "bundle")
	rootFS := filepath.Join(bundle, "rootfs")
	if _, err := os.Stat(rootFS); err != nil {
		if err := os.MkdirAll(rootFS, 0o755); err != nil {
			return err
		}
		if _, err := output(exec.Command("tar", "-xf", base, "-C", rootFS)); err != nil {
			return err
		}
	}
	b.add("python3", "chroot only: no isolation", func() (string, error) {
		return output(exec.Command("chroot", rootFS, "/usr/bin/python3", "-c", code))
	})
	if _, err := exec.LookPath("bwrap"); err != nil {
		b.absent = append(b.absent, "bwrap: not installed")
	} else {
		b.add("bwrap", "namespaces, shared kernel", func() (string, error) {
			return output(exec.Command("bwrap", "--unshare-all", "--ro-bind", rootFS, "/", "--proc", "/proc", "--dev", "/dev", "/usr/bin/python3", "-c", code))
		})
	}
	return b.addRunc(bundle)
}

func (b *bench) addRunc(bundle string) error {
	if _, err := exec.LookPath("runc"); err != nil {
		b.absent = append(b.absent, "runc: not installed")
		return nil
	}
	if err := writeRuncConfig(bundle); err != nil {
		return err
	}
	serial := 0
	b.add("runc run", "namespaces and cgroups, shared kernel", func() (string, error) {
		serial++
		return output(exec.Command("runc", "run", "--bundle", bundle, fmt.Sprintf("glovebox-bench-%d-%d", os.Getpid(), serial)))
	})
	return nil
}

// writeRuncConfig changes runc's own default description: our command, and no
// terminal.
func writeRuncConfig(bundle string) error {
	path := filepath.Join(bundle, "config.json")
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err := output(exec.Command("runc", "spec", "--bundle", bundle)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	var config map[string]any
	if err := json.NewDecoder(f).Decode(&config); err != nil {
		return err
	}
	process, ok := config["process"].(map[string]any)
	if !ok {
		return fmt.Errorf("%s has no process", path)
	}
	process["terminal"], process["args"] = false, []string{"/usr/bin/python3", "-c", code}
	if err := f.Truncate(0); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return json.NewEncoder(f).Encode(config)
}
