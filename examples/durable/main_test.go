package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox"
)

// TestMain plays the program itself if it is told to.
func TestMain(m *testing.M) {
	if os.Getenv("GLOVEBOX_EXAMPLE_DURABLE") == "1" {
		main()
		os.Exit(0)
	}
	glovebox.Init()
	os.Exit(m.Run())
}

func start(t *testing.T, dir string) (string, error) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, dir)
	cmd.Env = append(os.Environ(), "GLOVEBOX_EXAMPLE_DURABLE=1")
	out, err := cmd.Output()
	return string(out), err
}

func TestRunOutlivesItsProcess(t *testing.T) {
	dir := t.TempDir()
	if out, err := start(t, dir); err == nil || err.Error() != "signal: killed" || out != "" {
		t.Fatalf("the first process printed %q and ended with %v; want a kill", out, err)
	}
	const receipts = "receipt of ann\nreceipt of ben\nreceipt of cem\nreceipt of dot\n"
	for range 2 { // the third process only reads the result
		if out, err := start(t, dir); out != receipts || err != nil {
			t.Fatalf("a later process printed %q, %v", out, err)
		}
	}
	ledger, err := os.ReadFile(filepath.Join(dir, "ledger"))
	if want := "paid ann\npaid ben\npaid cem\npaid dot\n"; string(ledger) != want || err != nil {
		t.Errorf("ledger %q, %v; want %q", ledger, err, want)
	}
}
