// Package tuning names the mechanisms of this program that exist only to save
// time, and lets each be switched off, so that anybody can measure again what it
// is worth. What each does, and what it gained when it was last measured, is in
// docs/TUNING.md.
//
// All of them are on, unless the environment says otherwise:
//
//	GLOVEBOX_TUNING=-pipes,-compiled
//
// A program behaves the same without any of them; it only takes longer. The
// switches are for measuring and for finding faults, not for production.
package tuning

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// Variable is the environment variable that switches mechanisms off.
const Variable = "GLOVEBOX_TUNING"

// A Mechanism is something that only saves time.
type Mechanism string

// The mechanisms, each named by the package that has it.
const (
	Recent    Mechanism = "recent"    // engine: results of runs that have just ended are kept for a second
	Ahead     Mechanism = "ahead"     // engine: a run works while its creation is written
	Slices    Mechanism = "slices"    // journal/sqlite: the thread that writes asks for short scheduler slices
	Weight    Mechanism = "weight"    // cell/gvisor: all cells together weigh more than one process
	Breath    Mechanism = "breath"    // cell/pool: a cell that was taken is replaced a moment later
	Pipes     Mechanism = "pipes"     // cell: a job and its result go past the guest
	Compiled  Mechanism = "compiled"  // sandbox: interpreters find the runner compiled
	Launcher  Mechanism = "launcher"  // sandbox: a process waits in a warm cell to become the command
	Rehearsal Mechanism = "rehearsal" // sandbox: interpreters that wait do once what a run does
	Exit      Mechanism = "exit"      // sandbox: auto-IO code ends without Python's own end
	Linger    Mechanism = "linger"    // sandbox: a run that succeeded does not wait for its process
	Filter    Mechanism = "filter"    // runsc: the filter of system calls is compiled beforehand
	GC        Mechanism = "gc"        // runsc: a sandbox that starts collects garbage rarely
)

var all = []Mechanism{Recent, Ahead, Slices, Weight, Breath, Pipes, Compiled, Launcher, Rehearsal, Exit, Linger, Filter, GC}

// off holds the mechanisms that are switched off; nil is none.
var off atomic.Pointer[[]Mechanism]

// On reports whether a mechanism is to be used.
func On(m Mechanism) bool {
	list := off.Load()
	return list == nil || !slices.Contains(*list, m)
}

// Set switches the mechanisms of a text off that has the form of Variable, and
// all others on. A text of another form changes nothing.
func Set(text string) error {
	var list []Mechanism
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		name, found := strings.CutPrefix(word, "-")
		if !found || !slices.Contains(all, Mechanism(name)) {
			return fmt.Errorf("%s has %q, expected some of %s", Variable, word, names(all))
		}
		list = append(list, Mechanism(name))
	}
	off.Store(&list)
	return nil
}

// Text returns what Set takes for what is switched off now, for a child process.
func Text() string {
	list := off.Load()
	if list == nil {
		return ""
	}
	return names(*list)
}

func names(list []Mechanism) string {
	words := make([]string, len(list))
	for i, m := range list {
		words[i] = "-" + string(m)
	}
	return strings.Join(words, ",")
}
