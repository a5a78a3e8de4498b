//go:build linux

package glovebox_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox"
)

// TestProcessOfAFunctionDies: the process that started a run on a server, and
// whose functions it calls, is killed in the middle of a call, whose outcome is
// then unknown. Once another process offers the functions, the run continues:
// when a person allows it, or by itself if the function is idempotent. Calls
// that succeeded are not executed again.
func TestProcessOfAFunctionDies(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a worker that does not come back: run without -short")
	}
	for name, start := range map[string]func(*testing.T) string{"socket": socketServer, "tcp": tcpServer} {
		t.Run(name+"/charge", func(t *testing.T) {
			t.Parallel() // the server gives a worker time to come back
			url := start(t)
			id := startAndKill(t, url, "charge")
			gb := dial(t, url, testToken)
			if _, err := gb.Attach(id).Wait(t.Context()); !errors.Is(err, glovebox.ErrOutcomeUnknown) {
				t.Fatalf("the run ended with %v; want outcome_unknown", err)
			}
			second := takeOver(t, gb)
			run, err := gb.Resume(t.Context(), id, glovebox.ResumeOptions{RetryUnknown: true})
			if err != nil {
				t.Fatal(err)
			}
			second.check(t, run)
		})
		t.Run(name+"/look", func(t *testing.T) {
			t.Parallel()
			url := start(t)
			id := startAndKill(t, url, "look")
			gb := dial(t, url, testToken)
			takeOver(t, gb).check(t, gb.Attach(id))
		})
	}
}

// calls counts what the second process did.
type calls struct{ prepared, called atomic.Int64 }

// takeOver offers the functions from this process.
func takeOver(t *testing.T, gb *glovebox.Glovebox) *calls {
	t.Helper()
	c := new(calls)
	if err := gb.Register(accountFunctions(func() { c.prepared.Add(1) }, func() { c.called.Add(1) })...); err != nil {
		t.Fatal(err)
	}
	return c
}

// check waits for the run, which made its first call in the first process.
func (c *calls) check(t *testing.T, run *glovebox.Run) {
	t.Helper()
	result, err := run.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n, err := glovebox.Get[int](result, "result"); n != 11 || err != nil {
		t.Errorf("the total is %d, %v; want 11", n, err)
	}
	if c.prepared.Load() != 0 || c.called.Load() != 1 {
		t.Errorf("%d and %d calls by the second process; want 0 and 1", c.prepared.Load(), c.called.Load())
	}
}

// accountFunctions are functions that several processes offer. They tell
// when they are called.
func accountFunctions(prepared, called func()) []glovebox.Function {
	ten := func(context.Context) int { called(); return 10 }
	return []glovebox.Function{
		glovebox.MustFunction("prepare", func(context.Context) int { prepared(); return 1 }),
		glovebox.MustFunction("charge", ten),
		glovebox.MustFunction("look", ten, glovebox.WithIdempotent()),
	}
}

// The environment of a process of a client: the server, and which function of
// the account the run calls.
const (
	clientVariable = "GLOVEBOX_TEST_CLIENT"
	callVariable   = "GLOVEBOX_TEST_CALL"
)

// startAndKill starts a run in another process and kills that when the run
// calls a function. It returns the id of the run.
func startAndKill(t *testing.T, url, call string) (id string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), clientVariable+"="+url, callVariable+"="+call)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(stdout)
	for called := false; id == "" || !called; {
		if !said.Scan() {
			t.Fatalf("the process of the client ended: %v", said.Err())
		}
		word, rest, _ := strings.Cut(said.Text(), " ")
		switch word {
		case "run":
			id = rest
		case "called":
			called = true
		default:
			t.Fatalf("the process of the client said %q", said.Text())
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	return id
}

// clientProcess offers the functions of the account, starts a run, and never
// answers the call that it gets.
func clientProcess(url string) error {
	ctx := context.Background()
	gb, err := glovebox.Dial(ctx, url, glovebox.DialOptions{Token: testToken})
	if err != nil {
		return err
	}
	functions := accountFunctions(func() {}, func() {
		fmt.Println("called")
		select {}
	})
	if err := gb.Register(functions...); err != nil {
		return err
	}
	tools := make([]glovebox.Task, len(functions))
	for i, f := range functions {
		tools[i] = f
	}
	source := "a = prepare()\na + " + os.Getenv(callVariable) + "()"
	run, err := gb.Start(ctx, glovebox.Orchestrator{Name: "account", Source: source, Output: "int", Tools: tools}, nil)
	if err != nil {
		return err
	}
	fmt.Println("run", run.ID())
	_, err = run.Wait(ctx)
	return err
}
