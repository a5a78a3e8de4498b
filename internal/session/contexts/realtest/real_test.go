// Package realtest runs code in contexts of real cells. It is apart from package
// contexts so that the tests and fuzz targets there do not link gVisor.
package realtest

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/celltest"
	"github.com/glovebox-dev/glovebox/internal/cell/gvisor"
	"github.com/glovebox-dev/glovebox/internal/runsc"
	"github.com/glovebox-dev/glovebox/internal/session/contexts"
)

func TestMain(m *testing.M) {
	if runsc.IsReexec() {
		runsc.Main()
	}
	runsc.CloseOnExec()
	os.Exit(m.Run())
}

// drivers starts drivers in a cell.
type drivers struct{ cell *cell.Cell }

func (d drivers) StartDriver(_ context.Context, c contexts.Command) (contexts.Process, error) {
	spec := cell.ProcessSpec{
		ProcessSpec: api.ProcessSpec{Argv: c.Argv, Dir: "/work", Stdin: true},
		Variables:   []string{"PATH=/usr/bin:/bin", "HOME=/work", "LANG=C.UTF-8"},
	}
	a, err := d.cell.StartProcess(context.Background(), spec)
	if err != nil {
		return nil, err
	}
	started, err := a.Next()
	if err != nil {
		return nil, err
	}
	return &process{a, d.cell, api.ProcessRef{PID: started.PID}, c.Stdout, c.Stderr}, nil
}

type process struct {
	*cell.Attachment
	cell           *cell.Cell
	ref            api.ProcessRef
	stdout, stderr io.Writer
}

func (p *process) Write(b []byte) (int, error) {
	return len(b), p.cell.WriteInput(context.Background(), p.ref, b)
}

func (p *process) Interrupt() error {
	return p.cell.SignalProcess(context.Background(), p.ref, "SIGINT", true)
}

func (p *process) Kill() { _ = p.cell.SignalProcess(context.Background(), p.ref, "SIGKILL", true) }

func (p *process) Wait() string {
	for {
		e, err := p.Next()
		if err != nil {
			return err.Error()
		}
		switch {
		case e.Type == api.ProcessExited:
			return fmt.Sprintf("exit status %d", e.Exit.Status)
		case e.Stream == "stdout":
			_, _ = p.stdout.Write(e.Data)
		case e.Stream == "stderr":
			_, _ = p.stderr.Write(e.Data)
		}
	}
}

func start(t testing.TB, language string) *contexts.Context {
	t.Helper()
	return startIn(t, celltest.RootFS, language)
}

func startIn(t testing.TB, rootFS func(testing.TB) string, language string) *contexts.Context {
	t.Helper()
	before := time.Now()
	x, err := tryStart(t, rootFS, language)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	t.Logf("ready after %v", time.Since(before).Round(time.Millisecond))
	return x
}

func tryStart(t testing.TB, rootFS func(testing.TB) string, language string) (*contexts.Context, error) {
	t.Helper()
	if os.Getenv("GLOVEBOX_TEST_REAL") == "" {
		t.Skip("set GLOVEBOX_TEST_REAL=1 to run in gVisor cells")
	}
	driver, err := gvisor.New(gvisor.Config{Program: "/proc/self/exe", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	c, err := cell.Start(context.Background(), driver, cell.Spec{ID: strings.ToLower(language), RootFS: rootFS(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return contexts.New(t.Context(), drivers{c}, api.ContextSpec{Language: language}, contexts.Options{})
}

// run returns what code says, with o for stdout, e for stderr, r for results and
// ! for an error.
func run(t testing.TB, c *contexts.Context, r api.CodeRequest) string {
	t.Helper()
	var said []string
	for e, err := range c.Run(t.Context(), r) {
		if err != nil {
			t.Fatalf("%q: %v", r.Code, err)
		}
		switch e.Type {
		case api.CodeStdout:
			said = append(said, "o:"+e.Text)
		case api.CodeStderr:
			said = append(said, "e:"+e.Text)
		case api.CodeResult:
			said = append(said, "r:"+string(e.Data["text/plain"]))
		case api.CodeError:
			said = append(said, "!:"+e.Error.Name+": "+e.Error.Value)
		}
	}
	return strings.Join(said, "|")
}

func TestPythonInCell(t *testing.T) {
	c := start(t, api.LanguagePython)
	for _, step := range []struct{ code, want string }{
		{"x = 1; x + 1", `r:"2"`},
		{"import os; print(1); os.system('echo 2; echo 3 >&2'); print(4)", "o:1\n|o:2\n|e:3\n|o:4\n"},
		{"import subprocess; subprocess.run(['sh', '-c', 'echo child']);", "o:child\n"},
		{"import asyncio; await asyncio.sleep(.01, 5)", `r:"5"`},
		{"pid = os.fork()\nif pid: print(os.waitpid(pid, 0)[1])\nelse: print('child')", "o:child\n|o:0\n"},
		{"sum(os.write(1, b'x' * 1000) for _ in range(100));", strings.Repeat("x", 100_000)},
		{"1 / 0", "!:ZeroDivisionError: division by zero"},
	} {
		got := run(t, c, api.CodeRequest{Code: step.code})
		if strings.HasPrefix(step.want, "x") { // as it comes
			got = strings.ReplaceAll(strings.TrimPrefix(got, "o:"), "|o:", "")
		}
		if got != step.want {
			t.Errorf("%q: got %.300q, want %.300q", step.code, got, step.want)
		}
	}
	for _, code := range []string{"import time; time.sleep(100)", "while True: pass", "subprocess.run(['sleep', '100'])", "os.system('sleep 100'); time.sleep(100)", "await asyncio.sleep(100)", "while True: print('x' * 1000)"} {
		before := time.Now()
		got := run(t, c, api.CodeRequest{Code: code, Timeout: 200 * time.Millisecond})
		if !strings.HasSuffix(got, "!:KeyboardInterrupt: its time of 200ms is over") {
			t.Errorf("%q: got %.300q", code, got)
		}
		t.Logf("%q took %v to end", code, time.Since(before)-200*time.Millisecond)
	}
	if got := run(t, c, api.CodeRequest{Code: "x"}); got != `r:"1"` {
		t.Errorf("the state is lost: %q", got)
	}
	if got := run(t, c, api.CodeRequest{Code: "os._exit(3)"}); !strings.Contains(got, "exit status 3") {
		t.Errorf("got %q", got)
	}
	if got := run(t, c, api.CodeRequest{Code: "1"}); got != `r:"1"` {
		t.Errorf("after its end: %q", got)
	}
}

func TestBashInCell(t *testing.T) {
	c := start(t, api.LanguageBash)
	for _, step := range []struct{ code, want string }{
		{"x=1; cd /tmp; pwd", "o:/tmp\n"},
		{"echo $x; exit 4", "o:1\n|!:ExitStatus: 4"},
		{"set -e; false; echo no", "!:ExitStatus: 1"},
		{"set +e; pwd", "o:/tmp\n"},
	} {
		if got := run(t, c, api.CodeRequest{Code: step.code}); got != step.want {
			t.Errorf("%q: got %q, want %q", step.code, got, step.want)
		}
	}
	for _, code := range []string{"sleep 100", "while :; do :; done", "sleep 100 | cat"} {
		if got := run(t, c, api.CodeRequest{Code: code, Timeout: 200 * time.Millisecond}); got != "!:ExitStatus: its time of 200ms is over" {
			t.Errorf("%q: got %q", code, got)
		}
	}
	if got := run(t, c, api.CodeRequest{Code: "echo $x"}); got != "o:1\n" {
		t.Errorf("the state is lost: %q", got)
	}
}

// BenchmarkContext shows what short code in a warm context takes, of which the
// code itself is next to nothing. It should stay below 3 ms.
func BenchmarkContext(b *testing.B) {
	for language, code := range map[string]string{api.LanguagePython: "1 + 1", api.LanguageBash: "echo 2"} {
		b.Run(language, func(b *testing.B) {
			c := start(b, language)
			for b.Loop() {
				run(b, c, api.CodeRequest{Code: code})
			}
		})
	}
}
