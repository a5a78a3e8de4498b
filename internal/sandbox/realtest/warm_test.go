package realtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/value"
)

// newWarm keeps so many cells ready for runs like task.
func newWarm(t *testing.T, task *api.Task, cells int) *real {
	t.Helper()
	r := newRealWith(t, pool.Config{Cells: 8, Memory: 8 << 30})
	r.keep(t, task, cells)
	return r
}

func (r *real) keep(t *testing.T, task *api.Task, cells int) {
	t.Helper()
	got, err := r.runner.KeepWarm(t.Context(), task, cells)
	if err != nil {
		t.Fatal(err)
	}
	if got.Asked != cells || got.Idle == 0 || got.Isolation != "gvisor" {
		t.Errorf("kept: %+v", got)
	}
}

// warm runs a task in a cell that is ready, which it waits for.
func (r *real) warm(t *testing.T, task *api.Task, given map[string]any) (*api.Result, error) {
	t.Helper()
	if _, err := r.runner.KeepWarm(t.Context(), task, 1); err != nil { // returns when one is ready
		t.Fatal(err)
	}
	result, err := r.run(t, task, given)
	if !result.Usage.Warm {
		t.Errorf("the run started its own cell; pools: %+v", r.runner.WarmPools())
	}
	return result, err
}

// TestWarmIsCold runs tasks of all modes both ways, and wants no difference but
// the time.
func TestWarmIsCold(t *testing.T) {
	cold, warm := newReal(t), newRealWith(t, pool.Config{Cells: 8, Memory: 8 << 30})
	for name, task := range map[string]*api.Task{
		"auto-IO": {Code: "import os, sys\nprint('out'); print('err', file=sys.stderr)\nr = [x, __name__, __file__, sys.argv, sys.path[0], sorted(os.environ.items()), os.getcwd(), os.getuid(), sorted(os.listdir('/var/inputs')), sorted(os.listdir('/proc/self/fd'))]",
			Env: map[string]string{"A": "1", "LC_ALL": "C"}, Secrets: []api.SecretRef{{Name: "s", Env: "TOKEN"}, {Name: "f"}}, Signature: sig(t, "x:int", "r:Any")},
		"verbatim": {Name: "etl", Verbatim: true, Code: "import os, sys\nprint(sys.argv, __file__, sorted(os.environ.items()), open('/run/secrets/f').read() == os.environ['TOKEN'], sorted(os.listdir('/proc/self/fd')), sorted(os.listdir('/work')))\nopen('/var/outputs/r', 'w').write('done')\n",
			Env: map[string]string{"A": "1", "TZ": "Asia/Tokyo"}, Secrets: []api.SecretRef{{Name: "s", Env: "TOKEN"}, {Name: "f"}}, Arguments: []string{"a b"}, Signature: sig(t, "x:int", "r:str")},
		// Without the count of links, for that of /proc is how many processes there are just
		// now, and of the times only the year, for the two cells start at different minutes.
		"command": {Command: []string{"sh", "-c", "env | sort; id -u; pwd; ls -lA --time-style=+%Y / /work /var/inputs /var/outputs | grep -v total | sed -E 's/^([^ ]{10}) +[0-9]+/\\1/'; cat /var/inputs/x > /var/outputs/r"},
			Env: map[string]string{"A": "1"}, Signature: sig(t, "x:int", "r:str")},
		"command fails":         {Command: []string{"sh", "-c", "echo out; echo err >&2; exit 3"}, Signature: sig(t, "x:int", "")},
		"command is not there":  {Command: []string{"no-such-program"}, Signature: sig(t, "x:int", "")},
		"command is no program": {Command: []string{"/etc/passwd"}, Signature: sig(t, "x:int", "")},
		"command of few files":  {Command: []string{"sh", "-c", "ulimit -n; ulimit -u"}, Resources: api.Resources{OpenFiles: 20, PIDs: 4}, Signature: sig(t, "x:int", "")},
		"exception":             {Code: "def f(): raise ValueError('x')\nf()", Signature: sig(t, "x:int", "")},
		"script fails":          {Verbatim: true, Code: "def f(): raise ValueError('x')\nf()", Signature: sig(t, "x:int", "")},
		"syntax":                {Code: "x = = 1", Signature: sig(t, "x:int", "")},
		"exit":                  {Code: "raise SystemExit(3)", Signature: sig(t, "x:int", "")},
		"signal":                {Verbatim: true, Code: "import os\nos.kill(os.getpid(), 11)", Signature: sig(t, "x:int", "")},
		"memory":                {Code: "x = bytearray(900 << 20)", Resources: api.Resources{Memory: 256 << 20}, Signature: sig(t, "x:int", "")},
		"time":                  {Code: "while True: pass", Timeout: 2 * time.Second, Signature: sig(t, "x:int", "")},
		"files":                 {Code: "open('/var/outputs/f', 'wb').write(b'x' * 100000)\nl = ['/var/outputs/f']", Signature: sig(t, "x:int", "f:File l:list[File]")},
		"preload":               {Code: "import sys\nr = ['json' in sys.modules, 'decimal' in sys.modules]", Preload: []string{"json", "decimal"}, Signature: sig(t, "x:int", "r:Any")},
	} {
		t.Run(name, func(t *testing.T) {
			a, errA := cold.run(t, task, map[string]any{"x": 21})
			b, errB := warm.warm(t, task, map[string]any{"x": 21})
			if a.Usage.Warm {
				t.Error("without a pool a run was warm")
			}
			if diff := cmp.Diff(whatCounts(a, errA), whatCounts(b, errB)); diff != "" {
				t.Errorf("cold (-) and warm (+) differ:\n%s", diff)
			}
		})
	}
}

// whatCounts is what must not depend on where the cell came from.
func whatCounts(r *api.Result, err error) map[string]any {
	counts := map[string]any{"stdout": string(r.Stdout), "stderr": string(r.Stderr), "exit": r.ExitCode, "image": r.Image}
	for _, o := range r.Outputs {
		counts[o.Name] = o.Value
		if f, ok := o.Value.(value.File); ok {
			counts[o.Name] = f.SHA256
		}
		if l, ok := o.Value.([]any); ok && len(l) == 1 {
			if f, ok := l[0].(value.File); ok {
				counts[o.Name] = f.SHA256
			}
		}
	}
	var e *api.Error
	if errors.As(err, &e) {
		counts["code"], counts["exception"], counts["signal"] = e.Code, e.Details.Exception, e.Details.Signal
		if e.Code != api.OutOfMemory { // whose peak differs
			counts["message"] = e.Message
		}
	}
	return counts
}

// TestWarmNetwork checks that a cell is under the policy of its run, though it
// was started for any, and that before nothing leads out.
func TestWarmNetwork(t *testing.T) {
	const ask = "import socket\ns = socket.create_connection(('127.0.0.1', 3128), 5)\nr = s.makefile().readline()"
	r := newRealWith(t, pool.Config{Cells: 8, Memory: 8 << 30})
	for _, c := range []struct {
		network api.Network
		want    string
	}{
		{api.Network{Public: true}, "public=true allow=[]\n"},
		{api.Network{Allow: []string{"a.example"}}, "public=false allow=[a.example]\n"},
		{api.Network{Allow: []string{"b.example"}}, "public=false allow=[b.example]\n"},
	} {
		result, err := r.warm(t, &api.Task{Code: ask, Network: c.network, Signature: sig(t, "", "r:str")}, nil)
		if err != nil || result.Outputs[0].Value != c.want {
			t.Errorf("%+v, %v\nwant %q", result.Outputs, err, c.want)
		}
	}
	if pools := r.runner.WarmPools(); len(pools) != 1 || !pools[0].Network {
		t.Errorf("policies have their own pools: %+v", pools)
	}
	_, err := r.warm(t, &api.Task{Code: ask, Signature: sig(t, "", "r:str")}, nil)
	if !errors.Is(err, &api.Error{Code: api.PythonException}) {
		t.Errorf("without a network: %v", err)
	}
}

// TestWarmPreload checks what a module may do that is imported ahead.
func TestWarmPreload(t *testing.T) {
	for _, r := range []*real{newReal(t), newRealWith(t, pool.Config{Cells: 2, Memory: 8 << 30})} {
		for module, words := range map[string]string{
			"nosuchmodule": "No module named 'nosuchmodule'", "antigravityy.x": "No module named 'antigravityy'", "this.x": "'this' is not a package",
		} {
			_, err := r.run(t, &api.Task{Code: "r = 1", Preload: []string{"json", module}, Signature: sig(t, "", "r:int")}, nil)
			var e *api.Error
			if !errors.As(err, &e) || e.Code != api.InvalidTask || e.Details.Field != "preload" || !strings.Contains(e.Message, words) || e.Outcome != api.NotStarted {
				t.Errorf("%s: %v", module, err)
			}
		}
		result, err := r.run(t, &api.Task{Code: "r = 1", Preload: []string{"this"}, Signature: sig(t, "", "r:int")}, nil)
		if err != nil || !strings.HasPrefix(string(result.Stdout), "The Zen of Python") {
			t.Errorf("%v; what a module prints is lost: %q", err, result.Stdout)
		}
	}
	r := newRealWith(t, pool.Config{Cells: 2, Memory: 8 << 30})
	if _, err := r.runner.KeepWarm(t.Context(), &api.Task{Code: "1", Preload: []string{"nosuchmodule"}}, 1); !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
		t.Errorf("KeepWarm: %v", err)
	}
}

// TestControlFlood writes without end where the host reads the result.
func TestControlFlood(t *testing.T) {
	r := newReal(t)
	task := &api.Task{Code: "f = open(4, 'wb', closefd=False)\nfor _ in range(300): f.write(bytes(1 << 20))\nf.flush()\nr = 1", Signature: sig(t, "", "r:int")}
	if _, err := r.run(t, task, nil); !errors.Is(err, &api.Error{Code: api.OutputTooLarge}) {
		t.Errorf("got %v", err)
	}
	task.Code = "import os, subprocess\nsubprocess.Popen(['sleep', '1000'], pass_fds=[4])\nr = 1"
	if result, err := r.run(t, task, nil); err != nil || result.Outputs[0].Value != int64(1) {
		t.Errorf("with a child that holds the pipe: %+v, %v", result.Outputs, err)
	}
}

// TestWarmMany takes more cells at once than there are.
func TestWarmMany(t *testing.T) {
	task := &api.Task{Code: "import time\ntime.sleep(.01)\ny = x * 2", Signature: sig(t, "x:int", "y:int")}
	r := newWarm(t, task, 4)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			result, err := r.run(t, task, map[string]any{"x": i})
			if err != nil || result.Outputs[0].Value != int64(2*i) {
				t.Errorf("run %d: %+v, %v", i, result.Outputs, err)
			}
		})
	}
	all.Wait()
}

// TestWarmCancel ends runs at any time.
func TestWarmCancel(t *testing.T) {
	task := &api.Task{Code: "import time\nprint('started', flush=True)\ntime.sleep(60)"}
	r := newWarm(t, task, 2)
	for i := range 12 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i*i)*200*time.Microsecond)
		began := time.Now()
		_, err := r.runner.Run(ctx, fmt.Sprintf("cancel-%d", i), &api.Request{Task: task})
		cancel()
		if !errors.Is(err, &api.Error{Code: api.Canceled}) || time.Since(began) > 20*time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	}
	if result, err := r.warm(t, &api.Task{Code: "x = 1"}, nil); err != nil {
		t.Errorf("afterwards: %v %s", err, result.Stderr)
	}
}
