package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// montyVersion is the peer's release that is measured.
const montyVersion = "1.4.0"

// environment makes a Python environment with the peer in it, once, and returns
// its interpreter.
func environment(dir string) (python string, err error) {
	dir, err = filepath.Abs(filepath.Join(dir, "monty-"+montyVersion))
	if err != nil {
		return "", err
	}
	python = filepath.Join(dir, "bin", "python")
	if exec.Command(python, "-c", "import pydantic_monty").Run() == nil {
		return python, nil
	}
	for _, args := range [][]string{
		{"python3", "-m", "venv", dir},
		{python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pydantic-monty==" + montyVersion},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("%v: %w", args, err)
		}
	}
	return python, nil
}

// cpython313 is the CPython that the interpreter is held to, or else the python3
// of this machine; the report has its version.
func cpython313() string {
	if path, err := exec.LookPath("python3.13"); err == nil && exec.Command(path, "-c", "").Run() == nil {
		return path
	}
	root := os.Getenv("PYENV_ROOT")
	if root == "" {
		root = filepath.Join(os.Getenv("HOME"), ".pyenv")
	}
	if found, err := filepath.Glob(filepath.Join(root, "versions", "3.13.*", "bin", "python")); err == nil && len(found) > 0 {
		return found[len(found)-1]
	}
	return "python3"
}

// peer is a process of peer.py.
type peer struct {
	version string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
}

func startPeer(python, kind string) (*peer, error) {
	script, err := files.ReadFile("peer.py")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(python, "-c", string(script), kind)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &peer{cmd: cmd, in: in, out: json.NewDecoder(bufio.NewReader(out))}
	var hello struct{ Version string }
	if err := p.out.Decode(&hello); err != nil {
		return nil, fmt.Errorf("%s %s: %w", python, kind, err)
	}
	p.version = hello.Version
	return p, nil
}

func (p *peer) name() string { return p.version }

func (p *peer) run(source string) (time.Duration, string, error) {
	var answer struct {
		Seconds      float64
		Value, Error string
	}
	if err := p.ask(map[string]any{"op": "run", "source": source}, &answer); err != nil {
		return 0, "", err
	}
	if answer.Error != "" {
		return 0, "", errors.New(answer.Error)
	}
	return time.Duration(answer.Seconds * float64(time.Second)), answer.Value, nil
}

func (p *peer) parts(agent string, programs []string) (map[string]float64, error) {
	var found map[string]float64
	err := p.ask(map[string]any{"op": "parts", "source": agent, "programs": programs}, &found)
	return found, err
}

func (p *peer) ask(request, answer any) error {
	if err := json.NewEncoder(p.in).Encode(request); err != nil {
		return err
	}
	return p.out.Decode(answer)
}

func (p *peer) close() {
	p.in.Close()
	p.cmd.Wait()
}
