package peer

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Docker is a daemon of our own. It has no network, so that it needs none of
// the host.
type Docker struct {
	dir, state string
	daemon     *exec.Cmd
	log        *os.File
	ended      chan struct{}
}

// patience is how long a daemon may take to start or to end.
const patience = 30 * time.Second

// StartDocker starts a daemon whose images are below dir. Close ends it.
func StartDocker(ctx context.Context, dir string) (*Docker, error) {
	for _, need := range []string{"dockerd", "docker"} {
		if missing := lacking(need, "docker.io"); missing != "" {
			return nil, fmt.Errorf("%s", missing)
		}
	}
	// The path of a socket is limited to 108 bytes, so it is not below dir.
	state, err := os.MkdirTemp("", "glovebox-bench-")
	if err != nil {
		return nil, err
	}
	d := &Docker{dir: dir, state: state, ended: make(chan struct{})}
	if err := d.start(); err != nil {
		os.RemoveAll(state)
		return nil, err
	}
	if err := d.ready(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (d *Docker) start() error {
	log, err := os.Create(filepath.Join(d.dir, "dockerd.log"))
	if err != nil {
		return err
	}
	d.log = log
	d.daemon = exec.Command("dockerd", "--iptables=false", "--ip6tables=false", "--bridge=none", "--host", d.socket(),
		"--data-root", filepath.Join(d.dir, "docker"), "--exec-root", filepath.Join(d.state, "exec"), "--pidfile", filepath.Join(d.state, "pid"))
	d.daemon.Stdout, d.daemon.Stderr = log, log
	d.daemon.SysProcAttr = ownGroup() // an interrupt of the terminal must reach the containers through Close
	if err := d.daemon.Start(); err != nil {
		log.Close()
		return fmt.Errorf("starting dockerd: %w", err)
	}
	go func() { defer close(d.ended); _ = d.daemon.Wait() }()
	return nil
}

func (d *Docker) socket() string { return "unix://" + filepath.Join(d.state, "docker.sock") }

// ready waits until the daemon answers.
func (d *Docker) ready(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		_, err := Output(d.Command(ctx, "version"))
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-d.ended:
			return fmt.Errorf("dockerd ended; its log is %s", d.log.Name())
		case <-ctx.Done():
			return fmt.Errorf("dockerd does not answer; its log is %s: %w", d.log.Name(), err)
		}
	}
}

// Close ends the daemon and what it has started.
func (d *Docker) Close() {
	_ = d.daemon.Process.Signal(os.Interrupt) // it may have ended
	select {
	case <-d.ended:
	case <-time.After(patience):
		_ = d.daemon.Process.Kill()
		<-d.ended
	}
	d.log.Close()
	_ = unix.Unmount(filepath.Join(d.state, "exec", "netns", "default"), unix.MNT_DETACH) // dockerd leaves it, if it made it
	os.RemoveAll(d.state)
}

// Process is that of the daemon.
func (d *Docker) Process() int { return d.daemon.Process.Pid }

// Container is the first process of a container that runs.
func (d *Docker) Container(ctx context.Context, id string) (process int, err error) {
	out, err := Output(d.Command(ctx, "inspect", "--format", "{{.State.Pid}}", id))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(out))
}

// Command is one of the command line of docker.
func (d *Docker) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "docker", append([]string{"--host", d.socket()}, args...)...)
	cmd.Env = append(os.Environ(), "DOCKER_BUILDKIT=0")
	return cmd
}

// Version is that of the client and of the daemon.
func (d *Docker) Version() string {
	out, err := Output(d.Command(context.Background(), "version", "--format", "client {{.Client.Version}}, daemon {{.Server.Version}}"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// Image returns the name of an image with the files of root, which it imports
// if need be. The same name never means two sets of files: it has the digest.
func (d *Docker) Image(ctx context.Context, root *Root) (string, error) {
	digest, err := rootDigest(root)
	if err != nil {
		return "", err
	}
	name := "glovebox-bench-" + root.Name + ":" + digest[:12]
	if _, err := Output(d.Command(ctx, "image", "inspect", name)); err == nil {
		return name, nil
	}
	_, err = Output(d.Command(ctx, "import", root.Tar, name))
	return name, err
}

// Peer is `docker run` by this daemon.
func (d *Docker) Peer() *Peer {
	return &Peer{Name: "docker run", What: "docker run --rm --network none: runc, shared kernel",
		prepare: func(ctx context.Context, w Work) (func(context.Context) *exec.Cmd, error) {
			image, err := d.Image(ctx, w.Root)
			if err != nil {
				return nil, err
			}
			args := []string{"run", "--rm", "--network", "none"}
			if w.Share != "" {
				args = append(args, "--volume", w.Share+":/mnt/data")
			}
			args = append(append(args, image), w.Argv...)
			return func(ctx context.Context) *exec.Cmd { return d.Command(ctx, args...) }, nil
		}}
}

// NoDocker stands for a daemon that could not be had.
func NoDocker(err error) *Peer { return &Peer{Name: "docker run", Absent: err.Error()} }

// ownGroup starts a process in a group of its own, which a key pressed at the
// terminal does not reach.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
