package attack

import (
	"context"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// probes are the programs of each case, each of which has to end with an error.
var probes = []struct {
	name, tries string
	programs    []string
}{
	{"I01_reflection", "reach code, globals and files by reflection", []string{
		"(lambda: 1).__globals__", "getattr(lambda: 1, '__glo' + 'bals__')", "list(map(getattr, [lambda: 1], ['__code__']))",
		"import functools\nfunctools.partial(getattr, lambda: 1)('__closure__')", "import operator\noperator.attrgetter('__code__')(lambda: 1)",
		"eval('1')", "exec('1')", "__import__('os')", "compile('1', '', 'eval')", "open('/proc/self/status').read()",
	}},
	{"I02_format", "reach globals by formatting", []string{
		"'{0.__globals__}'.format(lambda: 1)", "'{a.__code__}'.format_map({'a': lambda: 1})", "f'{(lambda: 1).__globals__}'",
	}},
	{"I03_frames", "reach frames of generators and tracebacks", []string{
		"(x for x in [1]).gi_frame", "import sys\nsys._getframe()", "try: 1/0\nexcept Exception as e: e.__traceback__.tb_frame",
	}},
	{"I04_modules", "reach the system through modules", []string{
		"import os\nos.system", "import os\nos.listdir('.')", "import subprocess", "import socket", "import ctypes", "import sys\nsys.modules", "import random\nrandom._os",
		"import pathlib\npathlib.Path('.').exists()",
	}},
	{"I05_big_numbers", "have one operation make a huge number", []string{
		"(1 << 4 * 10**8) > 0", "int.from_bytes(bytes(10**8), 'big') == 0",
	}},
	{"I06_big_results", "have one operation make a huge text or list", []string{
		"len('a' * 10**8)", "len([0] * 10**7)", "len('a'.zfill(10**8))", "len(('a' * 10**4).replace('a', 'b' * 10**4))", "len('{:{}}'.format(1, 10**8))", "len(list(range(10**7)))",
	}},
	{"I07_steps", "compute beyond the limit of steps, also within one function", []string{
		"n = 0\nfor i in range(3 * 10**6): n += 1", "sum(range(3 * 10**7))", "max(i for i in range(3 * 10**6))",
	}},
	{"I08_recursion", "call beyond the limit of depth, also through functions of the language", []string{
		"def f(n): return f(n - 1) if n else 0\nf(300)", "def f(n): return max([1], key=lambda x: f(n - 1)) if n else 0\nf(200)",
	}},
	{"I13_uncatchable", "catch the end at a limit, and continue", []string{
		"try:\n    for i in range(3 * 10**6): pass\nexcept BaseException: pass\nprint('continued')", "try:\n    for i in range(3 * 10**6): pass\nfinally: print('continued')",
	}},
	{"I17_clock_and_randomness", "read the clock, and have randomness, without a grant", []string{
		"import time\ntime.time()", "import random\nrandom.random()", "import datetime\ndatetime.datetime.now()",
	}},
}

func interpreterCases() (cases []Case) {
	for _, p := range probes {
		cases = append(cases, Case{Name: p.name, Area: Interpreter, Tries: p.tries, Attack: each(p.programs...)})
	}
	return cases
}

// small are the limits of every probe.
var small = api.OrchestratorLimits{Memory: 16 << 20, Steps: 1_000_000, Depth: 100}

// each evaluates programs, each of which has to end with an error.
func each(programs ...string) func(context.Context, *Bench) error {
	return func(ctx context.Context, b *Bench) error {
		if _, err := b.Evaluate(ctx, "print(1)", small); err != nil {
			return err // of a program that does nothing wrong
		}
		for _, code := range programs {
			printed, err := b.Evaluate(ctx, code, small)
			if strings.Contains(printed, "continued") {
				return broken("it continued after its end: %s", oneLine(code))
			}
			if err == nil {
				return broken("this ended well: %s", oneLine(code))
			}
			switch e := api.AsError(err); e.Code {
			case api.Internal:
				return broken("the interpreter failed: %s: %s", oneLine(code), e.Message)
			case api.PythonException, api.InvalidTask, api.CheckFailed, api.SyntaxError, api.OutOfMemory, api.LimitExceeded, api.Timeout:
			default:
				return fmt.Errorf("%s: %w", oneLine(code), err)
			}
		}
		return nil
	}
}

func oneLine(code string) string { return strings.ReplaceAll(code, "\n", "; ") }
