package contexts

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// local starts drivers on this host, with other programs in place of some.
type local struct {
	programs map[string]string
	started  atomic.Int32
}

func (l *local) StartDriver(_ context.Context, c Command) (Process, error) {
	l.started.Add(1)
	program := c.Argv[0]
	if other, ok := l.programs[program]; ok {
		program = other
	}
	cmd := exec.Command(program, c.Argv[1:]...)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "MPLCONFIGDIR="+os.TempDir())
	for name, value := range c.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.Dir, c.Stdout, c.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &localProcess{cmd, stdin}, nil
}

type localProcess struct {
	cmd   *exec.Cmd
	stdin interface{ Write([]byte) (int, error) }
}

func (p *localProcess) Write(b []byte) (int, error) { return p.stdin.Write(b) }
func (p *localProcess) Interrupt() error            { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGINT) }
func (p *localProcess) Kill()                       { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

func (p *localProcess) Wait() string {
	err := p.cmd.Wait()
	if status := new(exec.ExitError); err == nil || errors.As(err, &status) {
		return p.cmd.ProcessState.String()
	}
	return err.Error()
}

// outcome is what came of code: texts by stream, results and an error.
type outcome struct {
	events         []api.CodeEvent
	stdout, stderr []string
	results        []api.CodeEvent
	failure        *api.CodeFailure
}

func run(t testing.TB, c *Context, code string) outcome {
	t.Helper()
	return execute(t, c, api.CodeRequest{Code: code})
}

func execute(t testing.TB, c *Context, r api.CodeRequest) outcome {
	t.Helper()
	var o outcome
	for e, err := range c.Run(withTime(t), r) {
		if err != nil {
			t.Fatalf("%q: %v", r.Code, err)
		}
		o.take(e)
	}
	if n := len(o.events); n < 2 || o.events[0].Type != api.CodeStarted || o.events[n-1].Type != api.CodeEnded {
		t.Fatalf("%q: events %+v", r.Code, o.events)
	}
	return o
}

func (o *outcome) take(e api.CodeEvent) {
	o.events = append(o.events, e)
	switch e.Type {
	case api.CodeStdout:
		o.stdout = append(o.stdout, e.Text)
	case api.CodeStderr:
		o.stderr = append(o.stderr, e.Text)
	case api.CodeResult:
		o.results = append(o.results, e)
	case api.CodeError:
		o.failure = e.Error
	}
}

// said returns everything in one line: o for stdout, e for stderr, r for results
// and ! for an error.
func (o *outcome) said() string {
	var parts []string
	for _, e := range o.events {
		switch e.Type {
		case api.CodeStdout:
			parts = append(parts, "o:"+e.Text)
		case api.CodeStderr:
			parts = append(parts, "e:"+e.Text)
		case api.CodeResult:
			parts = append(parts, "r:"+form(e, "text/plain"))
		case api.CodeError:
			parts = append(parts, "!:"+e.Error.Name+": "+e.Error.Value)
		}
	}
	return strings.Join(parts, "|")
}

// form returns a form of a result that is text.
func form(e api.CodeEvent, mime string) string {
	var text string
	_ = json.Unmarshal(e.Data[mime], &text)
	return text
}

func launch(t testing.TB, l *local, spec api.ContextSpec, o Options) *Context {
	t.Helper()
	if spec.Dir == "" {
		spec.Dir = t.TempDir()
	}
	c, err := New(withTime(t), l, spec, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// withTime ends what an interpreter that hangs would keep waiting, so that its test
// fails by name and the others run.
func withTime(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}
