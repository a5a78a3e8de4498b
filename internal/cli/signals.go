package cli

import "slices"

// linuxSignals are the names of signals of Linux in the order of their numbers,
// from 1. A program in a cell is ended by these, whatever system the command
// line is on.
var linuxSignals = []string{
	"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV",
	"SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU",
	"SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO", "SIGPWR", "SIGSYS",
}

// Two signals by their numbers.
const (
	sigkill = 9
	sigpipe = 13
)

// signalNumber returns the number of a signal; that of an unknown one is that of
// SIGKILL.
func signalNumber(name string) int {
	if i := slices.Index(linuxSignals, name); i >= 0 {
		return i + 1
	}
	return sigkill
}
