//go:build linux

package glovebox_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/glovebox-dev/glovebox/embed"
	"github.com/glovebox-dev/glovebox/internal/app/apptest"
)

// realCells says whether tests may start cells, which takes an image and so a
// network or a warm cache; make test does.
var realCells = os.Getenv("GLOVEBOX_TEST_REAL") == "1"

// made is a directory for what all tests share. TestMain removes it.
var made string

func TestMain(m *testing.M) {
	embed.Init()
	if url := os.Getenv(clientVariable); url != "" {
		fmt.Println(clientProcess(url)) // does not come back, unless something is wrong
		os.Exit(1)
	}
	flag.Parse()
	if !realCells {
		fmt.Println("skipping the examples of the package that start cells: GLOVEBOX_TEST_REAL is not 1")
		if err := flag.Set("test.skip", "^Example(|Func|Error|File|Glovebox_KeepWarm|WithStdout|Result_Scan)$"); err != nil {
			panic(err)
		}
	}
	home, remove, err := apptest.Home()
	if err != nil {
		panic(err)
	}
	if made, err = os.MkdirTemp("", "glovebox-made-"); err != nil {
		panic(err)
	}
	os.Setenv("GLOVEBOX_HOME", home)
	status := m.Run()
	if err := errors.Join(remove(), os.RemoveAll(made)); err != nil {
		panic(err)
	}
	os.Exit(status)
}

// TestScript drives the real program as a user would: with the work done in the
// process of each command, and by a server. A script begins with [!cells] skip
// if it starts cells, and with [server] skip if it is about the host of the
// command.
func TestScript(t *testing.T) {
	bin := buildProgram(t)
	places := []place{here, onSocket, onTCP}
	if testing.Short() {
		places = places[:1]
	}
	for _, p := range places {
		t.Run(string(p), func(t *testing.T) { runScripts(t, p, bin) })
	}
}

// buildProgram builds glovebox, once for all tests, and returns the directory
// that it is in.
func buildProgram(t *testing.T) (bin string) {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

var program = sync.OnceValues(func() (bin string, err error) {
	bin = filepath.Join(made, "bin")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(bin, "glovebox"), "./cmd/glovebox")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/glovebox: %w\n%s", err, out)
	}
	return bin, nil
})

func runScripts(t *testing.T, p place, bin string) {
	testscript.Run(t, testscript.Params{
		Files: p.scripts(t),
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			for _, name := range []string{"GLOVEBOX_HOME", "SSL_CERT_FILE", "PIP_INDEX_URL", "HTTPS_PROXY"} {
				env.Setenv(name, os.Getenv(name))
			}
			return p.setUp(env, bin)
		},
		Condition: p.condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      exits,
			"interrupt":  interrupt,
			"archive":    archive,
			"registry":   registry,
			"toolserver": toolserver,
			"model":      model,
			"expand":     expand,
		},
	})
}

// exits runs a command and checks its exact exit status:
//
//	exits STATUS COMMAND [ARG...]
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// interrupt starts a program of ours, sends it SIGINT when it prints its first line,
// and checks its exit status:
//
//	interrupt STATUS PROGRAM [ARG...]
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt STATUS COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	bin := filepath.SplitList(ts.Getenv("PATH"))[0]
	cmd := exec.Command(filepath.Join(bin, args[1]), args[2:]...)
	cmd.Env = os.Environ()
	for _, name := range []string{"GLOVEBOX_HOME", "GLOVEBOX_URL", "GLOVEBOX_TOKEN"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	stdout, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		ts.Fatalf("%s printed %q and then ended: %v", args[1], line, err)
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait() // the status is checked below
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
