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
	"strconv"
	"strings"
	"syscall"
	"time"
)

//go:embed client.py
var clientSource string

// pythonClient is a process with the Python client, which does one run for each
// line that it reads. It is used by one at a time.
type pythonClient struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// startPython starts the client of the server, from this working tree.
func startPython(s *site) (*pythonClient, error) {
	srv, err := s.server()
	if err != nil {
		return nil, err
	}
	source, err := filepath.Abs(filepath.Join("clients", "python", "src"))
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("python3", "-c", clientSource)
	cmd.Env = append(os.Environ(), "GLOVEBOX_URL="+srv.url, "PYTHONPATH="+source)
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
func (c *pythonClient) once(_ context.Context, image string) (time.Duration, error) {
	if _, err := fmt.Fprintln(c.in, image); err != nil {
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
