package contexts

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func TestInterrupt(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		c := open(Options{})
		run(t, c, "import time, os, subprocess, asyncio; x = 1")
		for _, code := range []string{
			"print('on'); time.sleep(100)", "print('on')\nwhile True: pass", "print('on'); subprocess.run(['sleep', '100'])",
			"print('on'); await asyncio.sleep(100)", "print('on')\nwhile True: print('x' * 1000)",
		} {
			var got outcome
			for e, err := range c.Run(t.Context(), api.CodeRequest{Code: code}) {
				if err != nil {
					t.Fatal(err)
				}
				if e.Type == api.CodeStdout && e.Text == "on\n" {
					if err := c.Interrupt(); err != nil {
						t.Fatal(err)
					}
				}
				got.take(e)
			}
			if got.failure == nil || got.failure.Name != "KeyboardInterrupt" {
				t.Errorf("%q: %.200s", code, got.said())
			}
		}
		if got := run(t, c, "x"); got.said() != "r:1" {
			t.Errorf("the state is lost: %q", got.said())
		}
		if err := c.Interrupt(); err != nil {
			t.Error(err)
		}
		if got := run(t, c, "time.sleep(.01); x"); got.said() != "r:1" {
			t.Errorf("after an interrupt of nothing: %q", got.said())
		}
	})
}

func TestTimeOfExecution(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		c := open(Options{Patience: time.Second})
		run(t, c, "import time, os; x = 1")
		for _, code := range []string{"time.sleep(100)", "os.system('sleep 100'); time.sleep(100)"} {
			got := execute(t, c, api.CodeRequest{Code: code, Timeout: 100 * time.Millisecond})
			if want := "!:KeyboardInterrupt: its time of 100ms is over"; got.said() != want {
				t.Errorf("%q: got %q, want %q", code, got.said(), want)
			}
		}
		got := execute(t, c, api.CodeRequest{Code: "while True:\n  try: time.sleep(100)\n  except KeyboardInterrupt: pass", Timeout: 100 * time.Millisecond})
		if got.failure == nil || got.failure.Name != restarting || !strings.Contains(got.failure.Value, "did not end within 1s") {
			t.Errorf("got %q", got.said())
		}
		if got := run(t, c, "x"); got.said() != "!:NameError: name 'x' is not defined" {
			t.Errorf("after the restart: %q", got.said())
		}
	})
}

func TestSecondInterruptEndsInterpreter(t *testing.T) {
	needsPython(t)
	c := openWith(t, "python3", api.ContextSpec{Plain: true}, Options{Patience: 50 * time.Millisecond})
	var got outcome
	for e, err := range c.Run(t.Context(), api.CodeRequest{Code: "import time\nwhile True:\n  try: print('on'); time.sleep(100)\n  except KeyboardInterrupt: pass"}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Text == "on\n" {
			time.Sleep(60 * time.Millisecond)
			if err := c.Interrupt(); err != nil {
				t.Fatal(err)
			}
		}
		got.take(e)
	}
	if got.failure == nil || got.failure.Name != restarting {
		t.Errorf("got %q", got.said())
	}
}

func TestInterpreterDies(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		c := open(Options{})
		run(t, c, "import os; x = 1")
		got := run(t, c, "print('before'); os.write(2, b'last words'); os.kill(os.getpid(), 9)")
		if got.failure == nil || got.failure.Name != restarting || !strings.Contains(got.failure.Value, "signal: killed") || got.stdout[0] != "before\n" {
			t.Errorf("got %q", got.said())
		}
		if got := run(t, c, "x"); got.said() != "!:NameError: name 'x' is not defined" || got.events[0].Count != 1 {
			t.Errorf("after the end: %q", got.said())
		}
		run(t, c, "import os, threading, time\nthreading.Timer(.05, os._exit, [3]).start()")
		waitFor(t, func() bool { return c.process.cause() != nil })
		if got := run(t, c, "1"); got.said() != "e:the interpreter ended: exit status 3; it starts again, without its state\n|r:1" {
			t.Errorf("it died in between: %q", got.said())
		}
		if got := run(t, c, "1"); got.said() != "r:1" {
			t.Errorf("then: %q", got.said())
		}
	})
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not happen")
		}
	}
}

func TestRestart(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		c := open(Options{})
		run(t, c, "import time; x = 1")
		var got outcome
		for e, err := range c.Run(t.Context(), api.CodeRequest{Code: "print('on'); time.sleep(100)"}) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Text == "on\n" {
				if err := c.Restart(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			got.take(e)
		}
		if got.said() != "o:on\n|!:ContextRestarting: the context was restarted" {
			t.Errorf("got %q", got.said())
		}
		if got := run(t, c, "x"); got.said() != "!:NameError: name 'x' is not defined" || got.events[0].Count != 1 {
			t.Errorf("after the restart: %q, execution %d", got.said(), got.events[0].Count)
		}
	})
}

func TestClientLeaves(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		c := open(Options{})
		run(t, c, "import time; x = 1")
		for _, code := range []string{"time.sleep(100)", "while True: print('x')"} {
			for range c.Run(t.Context(), api.CodeRequest{Code: code}) {
				break
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			var last error
			for _, err := range c.Run(ctx, api.CodeRequest{Code: code}) {
				last = err
			}
			if !errors.Is(last, context.DeadlineExceeded) {
				t.Errorf("%q: %v", code, last)
			}
			cancel()
			if got := run(t, c, "x"); got.said() != "r:1" {
				t.Errorf("%q: later %q", code, got.said())
			}
		}
	})
}

func TestOneExecutionAtATime(t *testing.T) {
	needsPython(t)
	c := openWith(t, "python3", api.ContextSpec{Plain: true}, Options{})
	run(t, c, "import time\nlog = []")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { run(t, c, "log.append('in'); time.sleep(.01); log.append('out')") })
	}
	all.Wait()
	if got := run(t, c, "print(' '.join(log))"); got.said() != "o:"+strings.TrimSpace(strings.Repeat("in out ", 4))+"\n" {
		t.Errorf("got %q", got.said())
	}
	if n, busy := c.Executions(); n != 6 || busy {
		t.Errorf("%d executions, busy %t", n, busy)
	}
}

func TestContextsAreApart(t *testing.T) {
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		one, other := open(Options{}), open(Options{})
		run(t, one, "x = 1")
		if got := run(t, other, "x"); got.failure == nil {
			t.Errorf("got %q", got.said())
		}
	})
}

func TestSettingsOfContext(t *testing.T) {
	needsPython(t)
	dir := t.TempDir()
	c := launch(t, &local{}, api.ContextSpec{Plain: true, Dir: dir, Env: map[string]string{"FOO": "of the context"}}, Options{})
	if err := os.WriteFile(filepath.Join(dir, "mine.py"), []byte("x = 5"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "json.py"), []byte("x = 6"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		code string
		env  map[string]string
		want string
	}{
		{"import os; print(os.getcwd())", nil, "o:" + dir + "\n"},
		{"import mine; mine.x", nil, "r:5"},
		{"os.environ['FOO']", nil, "r:'of the context'"},
		{"os.environ['FOO'], os.environ['BAR']", map[string]string{"FOO": "1", "BAR": "2"}, "r:('1', '2')"},
		{"os.environ['FOO'], os.getenv('BAR')", nil, "r:('of the context', None)"},
		{"1/0", map[string]string{"FOO": "1"}, "!:ZeroDivisionError: division by zero"},
		{"os.environ['FOO']", nil, "r:'of the context'"},
	} {
		got := execute(t, c, api.CodeRequest{Code: step.code, Env: step.env})
		if got.said() != step.want {
			t.Errorf("%q: got %q, want %q", step.code, got.said(), step.want)
		}
	}
}

func TestForkedContextsDrawOtherNumbers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "generation")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	draw := func(t *testing.T, c *Context, seed, code string) string {
		run(t, c, seed)
		got := run(t, c, code)
		if got.failure != nil {
			t.Fatal(got.said())
		}
		return got.said()
	}
	test := func(t *testing.T, c *Context, seed, code string) {
		first, again := draw(t, c, seed, code), draw(t, c, seed, code)
		if first != again {
			t.Errorf("it forgets its seed without a fork: %q and %q", first, again)
		}
		run(t, c, seed)
		write("another generation than before")
		if got := run(t, c, code); got.said() == first {
			t.Errorf("a fork continues with %q", first)
		}
		write("1")
	}
	write("1")
	eachPython(t, func(t *testing.T, open func(Options) *Context) {
		write("1")
		test(t, open(Options{generation: file}), "import random; random.seed(1)", "random.random()")
	})
	t.Run("numpy", func(t *testing.T) {
		python := withIPython(t, "numpy")
		write("1")
		test(t, openWith(t, python, api.ContextSpec{}, Options{generation: file}), "import numpy; numpy.random.seed(1)", "numpy.random.rand()")
	})
	t.Run("bash", func(t *testing.T) {
		write("1")
		test(t, openBash(t, Options{generation: file}), "RANDOM=1", "echo $RANDOM $RANDOM $RANDOM")
	})
}

func TestNoInterpreter(t *testing.T) {
	for name, program := range map[string]string{"missing": "/nowhere", "no Python": "false", "silent": "cat"} {
		l := &local{programs: map[string]string{"python3": program}}
		if c, err := New(t.Context(), l, api.ContextSpec{}, Options{StartTime: time.Second}); err == nil {
			c.Close()
			t.Errorf("%s: it starts", name)
		}
	}
	if _, err := New(t.Context(), &local{}, api.ContextSpec{Language: "cobol"}, Options{}); !errors.Is(err, api.RequestInvalid) {
		t.Errorf("another language: %v", err)
	}
}

func TestClose(t *testing.T) {
	needsPython(t)
	c := openWith(t, "python3", api.ContextSpec{Plain: true}, Options{})
	var got outcome
	for e, err := range c.Run(t.Context(), api.CodeRequest{Code: "print('on'); import time; time.sleep(100)"}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Text == "on\n" {
			c.Close()
		}
		got.take(e)
	}
	if got.said() != "o:on\n|!:ContextRestarting: the context was removed" {
		t.Errorf("got %q", got.said())
	}
	for _, err := range c.Run(t.Context(), api.CodeRequest{Code: "1"}) {
		if !errors.Is(err, api.NotFound) {
			t.Errorf("a removed context: %v", err)
		}
	}
}

// relay is a process whose output goes to whoever has attached last, as in a
// session that was forked.
type relay struct {
	Process
	mu             sync.Mutex
	stdout, stderr io.Writer
}

func (r *relay) attach(stdout, stderr io.Writer) (Process, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stdout, r.stderr = stdout, stderr
	return r, nil
}

func (r *relay) StartDriver(ctx context.Context, c Command) (Process, error) {
	_, _ = r.attach(c.Stdout, c.Stderr)
	c.Stdout = writer(func(b []byte) (int, error) { return r.to(&r.stdout, b) })
	c.Stderr = writer(func(b []byte) (int, error) { return r.to(&r.stderr, b) })
	var err error
	r.Process, err = (&local{}).StartDriver(ctx, c)
	return r, err
}

func (r *relay) to(stream *io.Writer, b []byte) (int, error) {
	r.mu.Lock()
	w := *stream
	r.mu.Unlock()
	_, _ = w.Write(b)
	return len(b), nil
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

func TestAttach(t *testing.T) {
	needsPython(t)
	for language, code := range map[string][3]string{
		api.LanguagePython: {"import time; x = 1", "print('on'); time.sleep(.2); print('late' * 9); x = 2", "print(x)"},
		api.LanguageBash:   {"x=1", "echo on; sleep .2; echo late; x=2", "echo $x"},
	} {
		t.Run(language, func(t *testing.T) {
			r, spec := &relay{}, api.ContextSpec{Language: language, Plain: true}
			before, err := New(t.Context(), r, spec, Options{})
			if err != nil {
				t.Fatal(err)
			}
			run(t, before, code[0])
			on := make(chan struct{})
			go func() {
				for e := range before.Run(t.Context(), api.CodeRequest{Code: code[1]}) {
					if e.Text == "on\n" {
						close(on)
					}
				}
			}()
			<-on
			after, err := Attach(r, spec, 7, Options{}, r.attach)
			if err != nil {
				t.Fatal(err)
			}
			defer after.Close()
			if got := run(t, after, code[2]); got.said() != "o:2\n" || got.events[0].Count != 8 {
				t.Errorf("got %q, execution %d", got.said(), got.events[0].Count)
			}
			if got := run(t, after, code[2]); got.said() != "o:2\n" {
				t.Errorf("then %q", got.said())
			}
		})
	}
}
