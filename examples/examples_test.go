// Package examples runs each program of the folders below as a user would.
package examples

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "github.com/glovebox-dev/glovebox" // the programs link it: when it changes, earlier results of these tests are stale
	"github.com/glovebox-dev/glovebox/internal/app/apptest"
)

// bin is the folder of the programs, each named like its own.
var bin string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "glovebox-examples-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	bin = dir
	return m.Run()
}

// built are the programs that were linked: those that tests run, once each.
var built = map[string]bool{}

// build links an example. That takes longer than all that it shows, and go vet
// compiles them all, so the short tests do without.
func build(t *testing.T, name string) {
	t.Helper()
	if testing.Short() {
		t.Skip("links a program of its own: run without -short")
	}
	if built[name] {
		return
	}
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin, "./"+name)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build ./examples/%s: %v\n%s", name, err, out)
	}
	built[name] = true
}

func TestExamples(t *testing.T) {
	tested := map[string]bool{"durable": true} // below
	for _, test := range []struct {
		command string // the program and its arguments
		cells   bool
		want    string
	}{
		{"deploy", false, "[238 214 238]\n"},
		{"files", false, `[{"part":"part0","words":2},{"part":"part1","words":1}]` + "\n"},
		{"oneshot", false, "6\n"},
		{"oneshot '-'.join([str(x),str(y)])", false, "1-2\n"},
		{"oneshot None", false, "<nil>\n"},
		{"orchestrate", true, "functions map[fib:55 linear:25 total:80] 20\ncells map[fib:55 linear:25 total:80] 20\n"},
		{"parallel", false, "5 [1 5 4]\n"},
		{"pipeline", true, `{"sum_1_to_10":55,"mean":3.0,"std":1.4142,"window_end":"2024-01-02T00:00:00","etl_sum_1_to_10":15,"line_count":"2"}` + "\n"},
		{"reducers", false, "sum 15\nproduct 120\n"},
	} {
		words := strings.Fields(test.command)
		tested[words[0]] = true
		t.Run(test.command, func(t *testing.T) {
			if test.cells && os.Getenv("GLOVEBOX_TEST_REAL") != "1" {
				t.Skip("starts cells: GLOVEBOX_TEST_REAL is not 1")
			}
			out, err := program(t, words...).Output()
			if diff := cmp.Diff(test.want, string(out)); diff != "" || err != nil {
				t.Errorf("%v, output (-want +got):\n%s", describe(err), diff)
			}
		})
	}
	programs, err := filepath.Glob("*/main.go")
	if err != nil || len(programs) == 0 {
		t.Fatal(programs, err)
	}
	for _, p := range programs {
		if name := filepath.Dir(p); !tested[name] {
			t.Errorf("no test runs %s", name)
		}
	}
}

// program makes the command of an example with a home of its own.
func program(t *testing.T, words ...string) *exec.Cmd {
	t.Helper()
	build(t, words[0])
	home, remove, err := apptest.Home()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := remove(); err != nil {
			t.Error(err)
		}
	})
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, words[0]), words[1:]...)
	cmd.Env = append(os.Environ(), "GLOVEBOX_HOME="+home, "GLOVEBOX_URL=")
	return cmd
}

func describe(err error) string {
	if exit, ok := err.(*exec.ExitError); ok {
		return fmt.Sprintf("%v\n%s", exit, exit.Stderr)
	}
	return fmt.Sprint(err)
}

func TestWrongCode(t *testing.T) {
	out, err := program(t, "oneshot", "import os").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "import") {
		t.Errorf("an import: %v, %s; want an error that names it", err, out)
	}
}

func TestPrompt(t *testing.T) {
	out, err := program(t, "oneshot", "-prompt").Output()
	if err != nil || !strings.Contains(string(out), "Adds two numbers.") {
		t.Errorf("%v, %s; want the tool described", describe(err), out)
	}
}

func TestRunOutlivesItsProcess(t *testing.T) {
	dir := t.TempDir()
	if out, err := program(t, "durable", dir).Output(); err == nil || err.Error() != "signal: killed" || len(out) != 0 {
		t.Fatalf("the first process printed %q and ended with %v; want a kill", out, err)
	}
	const receipts = "receipt of ann\nreceipt of ben\nreceipt of cem\nreceipt of dot\n"
	for range 2 { // the third process only reads the result
		if out, err := program(t, "durable", dir).Output(); string(out) != receipts || err != nil {
			t.Fatalf("a later process printed %q, %v", out, describe(err))
		}
	}
	ledger, err := os.ReadFile(filepath.Join(dir, "ledger"))
	if want := "paid ann\npaid ben\npaid cem\npaid dot\n"; string(ledger) != want || err != nil {
		t.Errorf("ledger %q, %v; want %q", ledger, err, want)
	}
}

// TestScriptedModel asks the provider that answers from a script.
func TestScriptedModel(t *testing.T) {
	build(t, "agents/model")
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "model"), "-script", "agents/model/script.yaml")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = cmd.Wait() // it was killed
	}()
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(strings.TrimSpace(url)+"/chat/completions", "application/json", strings.NewReader(`{"messages": [{"role": "user", "content": "hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(text), "I answer from a script.") {
		t.Errorf("%s, %v", text, err)
	}
}
