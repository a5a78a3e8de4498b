package cli

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestSignalNumber compares the table with the system whose signals it names.
func TestSignalNumber(t *testing.T) {
	for i, name := range linuxSignals {
		if want := int(unix.SignalNum(name)); want != i+1 || signalNumber(name) != want {
			t.Errorf("%s is %d in the table, and %d on Linux", name, i+1, want)
		}
	}
	if n := signalNumber("SIGNAL"); n != sigkill {
		t.Errorf("an unknown signal is %d, want %d", n, sigkill)
	}
	if n := signalNumber("SIGPIPE"); n != sigpipe {
		t.Errorf("SIGPIPE is %d, want %d", n, sigpipe)
	}
}
