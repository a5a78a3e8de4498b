package orchestrator

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestValidateChecks finds mistakes before the first call starts: in the code,
// and in the code of orchestrators among the tools.
func TestValidateChecks(t *testing.T) {
	inner := *task("ad(1, 2)", "int")
	inner.Name = "inner"
	for _, c := range []struct{ name, code, want string }{
		{"tool", "add(1, 2)\nadd_all(3)", "flow.py, line 2, column 1: add_all is not defined"},
		{"name", "add(1, 2)\ntotal", "line 2, column 1: name total is not defined"},
		{"arguments", "add(1, 2)\nadd(1)", "line 2, column 1: add needs y; call add(x: int, y: int)"},
		{"result", "add(1, 2)\n'one'", "line 2, column 1: the result must be int, and is str"},
		{"handler of something else", "try:\n    ad(1, 2)\nexcept KeyError:\n    pass\n1", "line 2, column 5: ad is not defined"},
		{"handler of one of its own", "class Odd(Exception): pass\ntry:\n    ad(1, 2)\nexcept Odd:\n    pass\n1", "line 3, column 5: ad is not defined"},
		{"function called elsewhere", "try:\n    def f(): return ad(1, 2)\nexcept NameError:\n    pass\n1", "line 2, column 21: ad is not defined"},
		{"tool of a tool", "inner()", "tool inner: inner.py, line 1, column 1: ad is not defined"},
	} {
		t.Run(c.name, func(t *testing.T) {
			flow := task(c.code, "int")
			flow.Orchestrator.Tools = append(flow.Orchestrator.Tools, inner)
			if c.name != "tool of a tool" {
				flow.Orchestrator.Tools = flow.Orchestrator.Tools[:len(flow.Orchestrator.Tools)-1]
			}
			r := New(Config{})
			for range 2 { // the second time from what is kept
				e := api.AsError(r.Validate(flow))
				if e == nil || e.Code != api.CheckFailed || !strings.Contains(e.Message, c.want) || len(e.Details.Problems) != 1 || e.Outcome != api.NotStarted {
					t.Fatalf("got %v, want %s", e, c.want)
				}
			}
			flow.Orchestrator.SkipCheck = true
			if err := r.Validate(flow); err != nil && c.name != "tool of a tool" {
				t.Errorf("unchecked: %v", err)
			}
		})
	}
}

// TestValidateLeavesWarnings accepts code that the checker only warns about.
func TestValidateLeavesWarnings(t *testing.T) {
	for _, code := range []string{
		"try:\n    ad(1, 2)\nexcept NameError:\n    pass\n1",
		"try:\n    ad(1, 2)\nexcept (KeyError, Exception):\n    pass\n1",
		"try:\n    ad(1, 2)\nexcept:\n    pass\n1",
		"kinds = (NameError,)\ntry:\n    ad(1, 2)\nexcept kinds:\n    pass\n1",
		"import contextlib\nwith contextlib.suppress(NameError):\n    ad(1, 2)\n1",
		"try:\n    from math import squareroot\nexcept ImportError:\n    pass\n1",
		"try:\n    add(1)\nexcept TypeError:\n    pass\n1",
		"def f():\n    return 1\n    add(1, 2)\nf()",
	} {
		flow := task(code, "int")
		if err := New(Config{}).Validate(flow); err != nil {
			t.Errorf("%s\ngot %v", code, err)
		}
		problems, err := New(Config{}).Check(flow)
		if err != nil || len(problems) != 1 || problems[0].Level != "warning" {
			t.Errorf("%s\ncheck found %v, %v", code, problems, err)
		}
	}
}

// TestRunIsNotChecked runs code that Validate would refuse: Run trusts the
// check that was made when the run was submitted.
func TestRunIsNotChecked(t *testing.T) {
	flow := task("add(1, 2) if True else ad(1, 2)", "int")
	result, err := New(Config{}).Run(t.Context(), "run", &api.Request{Task: flow, Caller: &instant{}})
	if err != nil || result.Outputs[0].Value != int64(1) {
		t.Errorf("got %v, %v", result, err)
	}
}

func BenchmarkValidateNew(b *testing.B) {
	for _, skip := range []bool{true, false} {
		name := map[bool]string{true: "unchecked", false: "checked"}[skip]
		b.Run(name, func(b *testing.B) {
			flow := task("n = 0\nfor i in range(10):\n    n = n + add(i, n)\nwords = [str(x) for x in [n, fib(n), multiply(n, 2)]]\nlen(words)", "int")
			flow.Orchestrator.SkipCheck = skip
			r := New(Config{})
			for range b.N {
				r.programs = newPrograms()
				if err := r.Validate(flow); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
