package orchestrator

import (
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// I14: what code can do to its tools and handles.
func TestAttackI14Tools(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       api.Code
		message    string
	}{
		{"forge by dict", `size({"path": "/etc/passwd", "size": 1, "sha256": "00"})`, api.PythonException, "TypeError"},
		{"forge by tag", `size({"__type__": "File", "path": "/etc/passwd"})`, api.PythonException, "TypeError"},
		{"forge by str", `size("/etc/passwd")`, api.PythonException, "TypeError"},
		{"forge by class", "class File:\n    path = '/etc/passwd'\nsize(File())", api.PythonException, "TypeError"},
		{"forge by type", `type(make("a"))("/etc/passwd")`, api.PythonException, "TypeError"},
		{"forge by copy", "import copy\ncopy.copy(make('a')).path", api.PythonException, ""},
		{"read the path", `make("a").path`, api.PythonException, "AttributeError"},
		{"read by getattr", `getattr(make("a"), "sha" + "256")`, api.PythonException, "AttributeError"},
		{"write the path", `make("a").path = "/etc/passwd"`, api.PythonException, "AttributeError"},
		{"other handle", `size(echo(make("a")) if False else 7)`, api.PythonException, "TypeError"},
		{"not granted", `delete("everything")`, api.PythonException, "NameError"},
		{"not granted by name", `glovebox_map("delete", [1])`, api.PythonException, "delete"},
		{"too many arguments", `add(1, 2, 3)`, api.PythonException, "TypeError"},
		{"missing argument", `add(1)`, api.PythonException, "TypeError"},
		{"unknown argument", `add(1, 2, z=3)`, api.PythonException, "TypeError"},
		{"wrong argument", `add(1, "2")`, api.PythonException, "TypeError"},
		{"recursive data", "x = []\nx.append(x)\necho(x)", api.PythonException, "nested too deeply or contains itself"},
		{"deep data", "x = []\nfor i in range(100000): x = [x]\necho(x)", api.PythonException, "nested too deeply"},
		{"100 MB argument", `echo("x" * 100_000_000)`, api.OutOfMemory, "52428800"},
		{"a million calls", "for i in range(10 ** 6): add(i, 1)", api.LimitExceeded, "10000 tool calls"},
		{"a million at once", "await gather(*[add(i, 1) for i in range(10 ** 6)])", api.LimitExceeded, "10000 tool calls"},
		{"exponential argument", "x = ['a']\nfor i in range(60): x = [x, x]\necho(x)", api.OutOfMemory, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, _ := failed(t, task(c.code, "Any"))
			if e.Code != c.want || !strings.Contains(e.Message, c.message) {
				t.Errorf("got %v, want %s: %s", e, c.want, c.message)
			}
		})
	}
}

// The text of a handle says nothing of what it stands for.
func TestAttackI14HandlesAreOpaque(t *testing.T) {
	code := `f = make("a")
print(f, repr(f), str([f]), f"{f!r:>90}", {"f": f}, hash(f) == hash("x"), f == given, f == make("a"))
given`
	result, err := attemptOn(t, testRunner(never), task(code, "File", "given", "File"),
		map[string]any{"given": file("in.csv")}, newEngine(funcs()))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"secret", "place", "a'", "csv", "5ec2e7", "7"} {
		if strings.Contains(string(result.Stdout), secret) {
			t.Errorf("the code learnt %q: %s", secret, result.Stdout)
		}
	}
	if result.Outputs[0].Value != file("in.csv") {
		t.Errorf("got %v", result.Outputs[0].Value)
	}
}

// Names of tools cannot be given to other things behind the back of the host:
// what the code defines is its own, and calls no tool.
func TestAttackI14Shadow(t *testing.T) {
	e := newEngine(funcs())
	result, err := attemptOn(t, testRunner(never), task("def add(x, y):\n    return 42\nadd(1, 2)", "int"), nil, e)
	if err != nil || result.Outputs[0].Value != int64(42) || len(e.starts) != 0 {
		t.Errorf("got %v, %v, calls %v", result.Outputs, err, e.starts)
	}
	shadowing := task("1", "int")
	shadowing.Orchestrator.Tools = append(shadowing.Orchestrator.Tools, tool("print", "int"))
	if err := testRunner(never).Validate(shadowing); api.AsError(err).Code != api.InvalidTask {
		t.Errorf("a tool named print: %v", err)
	}
}

func TestAttackI14CallInComparator(t *testing.T) {
	code := `
class Key:
    def __init__(self, v): self.v = v
    def __lt__(self, other): return add(self.v, 0) < add(other.v, 0)
    def __eq__(self, other): return add(self.v, 0) == other.v
    def __hash__(self): return add(self.v, 0)
[k.v for k in sorted([Key(3), Key(1), Key(2)])] + [len({Key(1): 1, Key(1): 2})]`
	for _, worth := range []func() bool{always, never} {
		e, r := newEngine(funcs()), testRunner(worth)
		for cut := 1; ; cut += 3 {
			e.cut = cut
			result, err := attemptOn(t, r, task(code, "list[int]"), nil, e)
			if err == nil {
				if got := result.Outputs[0].Value.([]any); len(got) != 4 || got[0] != int64(1) || got[3] != int64(1) {
					t.Errorf("got %v", got)
				}
				break
			}
			if !errors.Is(err, errCut) {
				t.Fatal(err)
			}
			e.again()
		}
	}
}

// I16: a snapshot that this run did not make is not used; the run begins anew
// and does no call twice.
func TestAttackI16Snapshots(t *testing.T) {
	flow := task("a = add(1, 2)\nb = add(a, 3)\nadd(b, 4)", "int")
	r := testRunner(always)
	made := newEngine(funcs())
	made.cut = 5
	if _, err := attemptOn(t, r, flow, nil, made); !errors.Is(err, errCut) || made.snapshot == nil {
		t.Fatalf("got %v", err)
	}
	good := made.snapshot
	flipped := func(at int) []byte {
		b := append([]byte{}, good...)
		b[at] ^= 1
		return b
	}
	foreign, _ := seal(runKey([]byte("a key of the tests"), "another run"), beside{}, good[sealedHead:])
	stranger, _ := seal(runKey([]byte("another key"), "run"), beside{}, good[sealedHead:])
	other, _ := seal(runKey([]byte("a key of the tests"), "run"), beside{}, []byte("GBX\x01 no snapshot"))
	bare, _ := seal(nil, beside{}, good[sealedHead:])
	for name, snapshot := range map[string][]byte{
		"good": good, "tampered": flipped(len(good) / 2), "tampered tag": flipped(0), "tampered length": flipped(sha256Size), "truncated": good[:len(good)-1],
		"empty": {}, "longer": append(good[:len(good):len(good)], 0), "another run": foreign, "another key": stranger, "no key": bare,
		"no snapshot": other, "of the interpreter": good[sealedHead:], "huge": make([]byte, maxSnapshot+1),
	} {
		e := newEngine(funcs())
		e.starts, e.answers, e.covered = made.starts, made.answers, made.covered
		e.done = map[uint64]int{1: 1, 2: 1}
		e.snapshot = snapshot
		result, err := attemptOn(t, r, flow, nil, e)
		if err != nil || result.Outputs[0].Value != int64(10) || e.done[1] != 1 || e.done[2] != 1 {
			t.Errorf("%s: got %v, %v, done %v", name, result.Outputs, err, e.done)
		}
		if fresh := e.restarts == 1; fresh == (name == "good") {
			t.Errorf("%s: begun anew %v", name, fresh)
		}
	}
	keyless := New(Config{})
	keyless.worth = r.worth
	e := newEngine(funcs())
	if _, err := attemptOn(t, keyless, flow, nil, e); err != nil || e.snapshot != nil {
		t.Errorf("without a key: %v, snapshot of %d bytes", err, len(e.snapshot))
	}
}

const sha256Size = 32

// A snapshot of other code is not used.
func TestAttackI16OtherProgram(t *testing.T) {
	r, e := testRunner(always), newEngine(funcs())
	e.cut = 3
	if _, err := attemptOn(t, r, task("add(1, 2)\nadd(3, 4)", "int"), nil, e); !errors.Is(err, errCut) || e.snapshot == nil {
		t.Fatalf("got %v", err)
	}
	e.again()
	result, err := attemptOn(t, r, task("add(1, 2)\nadd(3, 4) + 100", "int"), nil, e)
	if err != nil || result.Outputs[0].Value != int64(107) || e.restarts != 1 {
		t.Errorf("got %v, %v, begun anew %d times", result.Outputs, err, e.restarts)
	}
}

// I17: nothing of the world leaks into the code.
func TestAttackI17NoClockNoEntropy(t *testing.T) {
	for _, code := range []string{
		"import time\ntime.time()", "import time\ntime.monotonic()", "import datetime\ndatetime.datetime.now()",
		"import random\nrandom.random()", "import uuid\nstr(uuid.uuid4())", "import secrets\nsecrets.token_hex()",
	} {
		if e, _ := failed(t, task(code, "Any")); e.Code != api.PythonException {
			t.Errorf("%s: got %v", code, e)
		}
	}
	code := "print({'b', 'a', 'c'}, hash('a'), hash(make('x')), object(), id(object()), id('a'))\n1"
	var before string
	for range 5 {
		result, err := attemptOn(t, testRunner(never), task(code, "int"), nil, newEngine(funcs()))
		if err != nil || before != "" && before != string(result.Stdout) {
			t.Fatalf("got %v, %q, want %q", err, result.Stdout, before)
		}
		before = string(result.Stdout)
	}
}
