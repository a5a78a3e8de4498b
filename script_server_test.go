//go:build linux

package glovebox_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// place is where the commands of a script have their work done.
type place string

const (
	here     place = "here"   // in the process of the command
	onSocket place = "socket" // by a server on a Unix socket
	onTCP    place = "tcp"    // by a server on the loopback, with a token
)

// condition tells what a script may ask about the place: [server] for any
// server, [tcp] for one without the privileges of a socket.
func (p place) condition(name string) (bool, error) {
	switch name {
	case "cells":
		return realCells, nil
	case "server":
		return p != here, nil
	case "tcp":
		return p == onTCP, nil
	}
	return false, fmt.Errorf("there is no condition %q", name)
}

// withCells are the scripts with cells that also run with a server on TCP. That
// differs from a socket in who is let in, and how files get there.
var withCells = []string{"command", "json", "pipeline", "signals", "types"}

// scripts returns those that can tell something about the place.
func (p place) scripts(t *testing.T) (files []string) {
	all, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatalf("%d scripts, %v", len(all), err)
	}
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cells := bytes.Contains(text, []byte("\n[!cells] skip"))
		local := bytes.Contains(text, []byte("\n[server] skip"))
		chosen := realCells && (p == onSocket || slices.Contains(withCells, strings.TrimSuffix(filepath.Base(file), ".txtar")))
		if p == here || !local && (!cells || chosen) {
			files = append(files, file)
		}
	}
	return files
}

// setUp gives a script a server of its own, which shares only the images of the
// tests. The commands have another home.
func (p place) setUp(env *testscript.Env, bin string) error {
	if p == here {
		return nil
	}
	dir, err := os.MkdirTemp("", "glovebox-script-") // the path of a socket is short
	if err != nil {
		return err
	}
	env.Defer(func() { os.RemoveAll(dir) })
	home := filepath.Join(dir, "home")
	if err := homeWithImages(home); err != nil {
		return err
	}
	args := []string{"serve", "--listen", "unix:" + filepath.Join(dir, "socket")}
	if p == onTCP {
		token := filepath.Join(dir, "token")
		if err := os.WriteFile(token, []byte(scriptToken), 0o600); err != nil {
			return err
		}
		env.Setenv("GLOVEBOX_TOKEN", scriptToken)
		args = []string{"serve", "--listen", "127.0.0.1:0", "--token-file", token}
	}
	server := exec.Command(filepath.Join(bin, "glovebox"), args...)
	server.Env = append(os.Environ(), "GLOVEBOX_HOME="+home)
	address, wait, err := startServer(server)
	if err != nil {
		return err
	}
	env.Defer(func() {
		if err := errors.Join(server.Process.Signal(syscall.SIGTERM), wait()); err != nil {
			env.T().Fatal("the server: ", err)
		}
	})
	url := "unix://" + address
	if p == onTCP {
		url = "http://" + address
	}
	env.Setenv("GLOVEBOX_URL", url)
	env.Setenv("GLOVEBOX_HOME", filepath.Join(dir, "client"))
	return nil
}

const scriptToken = "a-token-of-the-scripts-7391"

// homeWithImages makes a home that shares the images of the tests.
func homeWithImages(home string) error {
	images := filepath.Join(os.Getenv("GLOVEBOX_HOME"), "images")
	if err := errors.Join(os.MkdirAll(images, 0o700), os.Mkdir(home, 0o700)); err != nil {
		return err
	}
	return os.Symlink(images, filepath.Join(home, "images"))
}

// startServer starts a server and returns where it listens. Wait waits for its
// end, before which it must not have said a word of an error.
func startServer(cmd *exec.Cmd) (address string, wait func() error, err error) {
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	lines := bufio.NewReader(stderr)
	first, err := lines.ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(first), "glovebox: listening on ")
	if !ok {
		rest, _ := io.ReadAll(lines)
		return "", nil, errors.Join(fmt.Errorf("it said: %s%s", first, rest), err, cmd.Wait())
	}
	said := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(lines)
		said <- string(text)
	}()
	return address, func() error {
		text := <-said
		err := cmd.Wait()
		if err != nil || strings.Contains(text, "level=ERROR") || strings.Contains(text, "panic") {
			return fmt.Errorf("%v; it said: %s", err, text)
		}
		return nil
	}, nil
}
