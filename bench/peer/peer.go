// Package peer runs commands in the same root file system by the programs that
// Glovebox is compared with: docker, runc, runsc, bwrap and chroot. It needs
// root, and mmdebstrap to make root file systems.
package peer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Work is a command for a peer.
type Work struct {
	Root  *Root
	Share string // a directory of the host that the command sees as /mnt/data; empty is none
	Argv  []string
}

// Peer is a program that runs commands with more or less isolation.
type Peer struct {
	Name, What string
	// Absent says why the peer is not here; if it is not empty, nothing else is
	// of use.
	Absent  string
	prepare func(ctx context.Context, w Work) (func(context.Context) *exec.Cmd, error)
}

// Prepare does what has to be done once for a work, and returns what carries it
// out and returns what it printed. That may be called by many at once.
func (p *Peer) Prepare(ctx context.Context, w Work) (func(context.Context) (string, error), error) {
	if p.Absent != "" {
		return nil, errors.New(p.Absent)
	}
	command, err := p.prepare(ctx, w)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (string, error) { return Output(command(ctx)) }, nil
}

// Output runs a command and returns what it printed.
func Output(cmd *exec.Cmd) (string, error) {
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, tail(stderr.String()))
	}
	return string(out), nil
}

// shownTail is how much of what a failed command printed is shown.
const shownTail = 2000

func tail(s string) string { return s[max(0, len(s)-shownTail):] }

// Chroot is a plain process: no isolation.
func Chroot() *Peer {
	return &Peer{Name: "plain process", What: "chroot into the same files: no isolation",
		prepare: func(_ context.Context, w Work) (func(context.Context) *exec.Cmd, error) {
			return func(ctx context.Context) *exec.Cmd {
				return exec.CommandContext(ctx, "chroot", append([]string{w.Root.Tree}, w.Argv...)...)
			}, nil
		}}
}

// Bwrap is bubblewrap: namespaces and no limits.
func Bwrap() *Peer {
	p := &Peer{Name: "bwrap", What: "bwrap --unshare-all: namespaces, no limits, shared kernel", Absent: lacking("bwrap", "bubblewrap")}
	p.prepare = func(_ context.Context, w Work) (func(context.Context) *exec.Cmd, error) {
		args := []string{"--unshare-all", "--ro-bind", w.Root.Tree, "/", "--proc", "/proc", "--dev", "/dev"}
		if w.Share != "" {
			args = append(args, "--tmpfs", "/mnt", "--bind", w.Share, "/mnt/data")
		}
		args = append(args, w.Argv...)
		return func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, "bwrap", args...) }, nil
	}
	return p
}

// lacking says that a program is not installed, and which package has it.
func lacking(program, pkg string) string {
	if _, err := exec.LookPath(program); err != nil {
		return fmt.Sprintf("%s is not installed (Debian's %s)", program, pkg)
	}
	return ""
}

// exists tells whether there is a file.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
