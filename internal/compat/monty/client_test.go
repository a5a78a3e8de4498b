package monty

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// TestMain lets the test binary be the worker that a client starts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "subprocess" {
		if err := Serve(context.Background(), Pipe{In: os.Stdin, Out: os.Stdout}, Options{Key: testKey}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestPythonClient runs testdata/client.py with the client that
// GLOVEBOX_TEST_MONTY, a Python with pydantic-monty, has.
func TestPythonClient(t *testing.T) {
	python := os.Getenv("GLOVEBOX_TEST_MONTY")
	if python == "" {
		t.Skip("GLOVEBOX_TEST_MONTY is not set to a Python that has pydantic-monty")
	}
	cmd := exec.Command(python, "testdata/client.py")
	cmd.Env = append(os.Environ(), "MONTY_BIN="+os.Args[0])
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
