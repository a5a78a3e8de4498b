package celltest

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

var terminalChecks = []check{
	{"is one", terminalIsOne},
	{"resize", terminalResize},
	{"interrupt", terminalInterrupt},
	{"end of input", terminalEndOfInput},
	{"closed by its process", terminalClosed},
	{"limits of its size", terminalLimits},
}

func terminalIsOne(t *testing.T, s *suite) {
	x := s.open(t)
	spec := command("/usr/bin/python3", "-c", `
import os, sys
print([os.isatty(fd) for fd in (0, 1, 2)], os.get_terminal_size(0), os.environ["TERM"])
print(os.getsid(0) == os.getpid(), os.tcgetpgrp(0) == os.getpgrp(), os.fstat(0).st_uid)
open("/dev/tty", "w").write("tty\n")
`)
	spec.Terminal = &api.TerminalSize{Columns: 91, Rows: 33}
	f := follow(x.start(spec))
	f.exits(t, api.ProcessExit{})
	want := "[True, True, True] os.terminal_size(columns=91, lines=33) xterm-256color\r\nTrue True 1000\r\ntty\r\n"
	if f.streams["terminal"] != want {
		t.Errorf("got %q", f.streams)
	}
}

func terminalResize(t *testing.T, s *suite) {
	x := s.open(t)
	spec := command("/usr/bin/python3", "-c", `
import os, signal
signal.signal(signal.SIGWINCH, lambda *_: None)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])
print("up", flush=True)
signal.sigwait([signal.SIGWINCH])
print(os.get_terminal_size(0), flush=True)
`)
	spec.Terminal = &api.TerminalSize{Columns: 80, Rows: 24}
	a, ref := x.startRef(spec)
	x.until(a, "up")
	if err := x.cell.ResizeTerminal(x.ctx, ref, api.TerminalSize{Columns: 132, Rows: 50}); err != nil {
		t.Fatal(describe(err))
	}
	f := follow(a)
	f.exits(t, api.ProcessExit{})
	if !strings.Contains(f.streams["terminal"], "columns=132, lines=50") {
		t.Errorf("got %q", f.streams)
	}
	_, ref = x.startRef(command("/bin/sleep", "100"))
	failsWith(t, x.cell.ResizeTerminal(x.ctx, ref, api.TerminalSize{Columns: 1, Rows: 1}), api.Conflict, "")
}

func terminalInterrupt(t *testing.T, s *suite) {
	x := s.open(t)
	spec := command("/bin/sh", "-i")
	spec.Terminal = &api.TerminalSize{Columns: 80, Rows: 24}
	spec.Variables = append(spec.Variables, "PS1=ready> ")
	a, ref := x.startRef(spec)
	x.until(a, "ready> ")
	write := func(text string) {
		if err := x.cell.WriteInput(x.ctx, ref, []byte(text)); err != nil {
			t.Fatal(describe(err))
		}
	}
	// The child prints the mark itself, so it is in the foreground then: a key before that reaches neither shell nor child.
	write("sh -c 'echo be\"\"gin; exec sleep 100'\n")
	x.until(a, "begin")
	write("\x03")
	x.until(a, "ready> ")
	write("echo st''atus $?; exit 6\n")
	x.until(a, "status 130")
	follow(a).exits(t, api.ProcessExit{Code: 6, Status: 6})
}

func terminalEndOfInput(t *testing.T, s *suite) {
	x := s.open(t)
	spec := command("/bin/cat")
	spec.Terminal = &api.TerminalSize{Columns: 80, Rows: 24}
	a, ref := x.startRef(spec)
	if err := x.cell.WriteInput(x.ctx, ref, []byte("line\n")); err != nil {
		t.Fatal(describe(err))
	}
	x.until(a, "line\r\nline\r\n")
	if err := x.cell.CloseInput(x.ctx, ref); err != nil {
		t.Fatal(describe(err))
	}
	follow(a).exits(t, api.ProcessExit{})
}

// terminalClosed has a process that lives on after it closed its terminal.
func terminalClosed(t *testing.T, s *suite) {
	x := s.open(t)
	spec := command("/bin/sh", "-c", "exec <&- >&- 2>&-; sleep 0.3; exit 7")
	spec.Terminal = &api.TerminalSize{Columns: 80, Rows: 24}
	follow(x.start(spec)).exits(t, api.ProcessExit{Code: 7, Status: 7})
}

func terminalLimits(t *testing.T, s *suite) {
	x := s.open(t)
	for field, size := range map[string]api.TerminalSize{"terminal.columns": {Columns: 0, Rows: 1}, "terminal.rows": {Columns: 1, Rows: 10001}} {
		spec := command("/bin/true")
		spec.Terminal = &size
		_, err := x.cell.StartProcess(x.ctx, spec)
		failsWith(t, err, api.RequestInvalid, field)
	}
}
