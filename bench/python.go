package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/glovebox-dev/glovebox/bench/peer"
)

//go:embed client.py
var clientSource string

// pythonClient is a process with the Python client, which does one run for each
// line that it reads. It is used by one at a time.
type pythonClient struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// interpreter is the Python that has the client. The python3 of the path may be a
// shim, which looks for it at each start.
func interpreter() (string, error) {
	return peer.Output(exec.Command("python3", "-c", "import sys; print(sys.executable, end='')"))
}

// clientEnvironment has the variables with which Python finds the client of this
// working tree. Its bytecode is kept, as that of an installed library is.
func (s *site) clientEnvironment(more ...string) ([]string, error) {
	source, err := filepath.Abs(filepath.Join("clients", "python", "src"))
	if err != nil {
		return nil, err
	}
	bytecode, err := filepath.Abs(filepath.Join(s.scratch, "bytecode"))
	if err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PYTHONDONTWRITEBYTECODE=") })
	return append(append(kept, "PYTHONPATH="+source, "PYTHONPYCACHEPREFIX="+bytecode), more...), nil
}

// script is the way of a Python program that runs one sandbox in a new cell, with
// an engine of its own.
func (s *site) script(image string) way {
	code := fmt.Sprintf(`import glovebox
box = glovebox.sandbox.create(name="double", code="result = x * 2", inputs={"x": int}, outputs={"result": int}, image=%q, cache="disable")
print(box.run(x=21))`, image)
	once := func(ctx context.Context) error {
		python, err := s.python()
		if err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, python, "-c", code)
		cmd.Env, err = s.clientEnvironment("GLOVEBOX_PROGRAM="+s.program, "GLOVEBOX_HOME="+filepath.Join(s.scratch, coldHome))
		if err != nil {
			return err
		}
		cmd.WaitDelay = patience
		printed, err := peer.Output(cmd)
		return expect(printed, answer, err)
	}
	return way{name: scriptName, what: "a new Python process with one run in a new cell", against: dockerName, once: func(ctx context.Context) (time.Duration, error) {
		if _, err := s.python(); err != nil { // to find it is not part of the run
			return 0, err
		}
		return timed(once)(ctx)
	}}
}

// startPython starts the client of the server, from this working tree.
func startPython(s *site) (*pythonClient, error) {
	srv, err := s.server()
	if err != nil {
		return nil, err
	}
	python, err := s.python()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(python, "-c", clientSource)
	if cmd.Env, err = s.clientEnvironment("GLOVEBOX_URL=" + srv.url); err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c := &pythonClient{}
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.later(func() {
		c.in.Close() // it ends at the end of its input
		timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
		_ = cmd.Wait()
	})
	return c, nil
}

// once runs the sandbox in the image and returns how long that took in the
// Python process.
func (c *pythonClient) once(image string, durable bool) (time.Duration, error) {
	if _, err := fmt.Fprintln(c.in, image, durable); err != nil {
		return 0, err
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("the Python client ended: %w", err)
	}
	seconds, value, ok := strings.Cut(strings.TrimSpace(line), " ")
	if !ok || value != answer {
		return 0, errors.New("the Python client: " + line)
	}
	took, err := strconv.ParseFloat(seconds, 64)
	return time.Duration(took * float64(time.Second)), err
}
