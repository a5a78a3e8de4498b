package page

import (
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// maxLedgerRows bounds the tasks that a ledger tells apart.
const maxLedgerRows = 100

// ledger says what a run and those below it took, by task.
type ledger struct {
	Rows   []ledgerRow
	Total  ledgerRow
	Models bool // whether a model was asked
	Part   bool // calls are missing, as there are too many
}

// ledgerRow is what all calls of one task took together.
type ledgerRow struct {
	Task     string
	Kind     api.TaskKind
	Run      string // the id of the only one; empty for several
	List     string // leads to several, relative to the root
	Runs     int
	Failed   int
	Reused   int // answered without being done
	Executed time.Duration
	CPU      time.Duration
	Memory   int64 // at most
	Models   api.ModelUsage
}

// add counts a run. What a run that calls others took of models is that of its calls.
func (r *ledgerRow) add(run *api.Run, isCall bool) {
	if isCall {
		r.Runs++
	}
	if isCall && run.Status == api.StatusFailed {
		r.Failed++
	}
	if run.Cached {
		r.Reused++
		return
	}
	r.Executed += run.Timings.Exec
	r.CPU += run.Usage.CPU
	r.Memory = max(r.Memory, run.Usage.PeakMemory)
	if run.Calls == 0 {
		r.Models = r.Models.Add(run.Usage.Models)
	}
}

// newLedger sums a tree up, or returns nil where there is nothing to tell apart.
func newLedger(root *branch) *ledger {
	if len(root.calls) == 0 {
		return nil
	}
	l := &ledger{Total: ledgerRow{Task: "in all"}}
	places := map[string]int{}
	root.walk(func(b *branch) {
		l.Total.add(b.run, b != root)
		l.Part = l.Part || b.more > 0
		if b == root {
			return
		}
		key := string(b.run.Kind) + " " + b.run.Parent + " " + b.run.Task
		at, ok := places[key]
		if !ok {
			at = len(l.Rows)
			places[key] = at
			l.Rows = append(l.Rows, ledgerRow{
				Task: b.run.Task, Kind: b.run.Kind, Run: b.run.ID, List: "page/runs?" + filter{Parent: b.run.Parent, Task: b.run.Task}.query(""),
			})
		}
		if l.Rows[at].add(b.run, true); l.Rows[at].Runs > 1 {
			l.Rows[at].Run = ""
		}
	})
	if used := root.run.Usage.Models; used.Input+used.Output > l.Total.Models.Input+l.Total.Models.Output {
		l.Total.Models = used // of calls that were not read, or whose rows do not say
	}
	l.Models = l.Total.Models != api.ModelUsage{}
	if len(l.Rows) > maxLedgerRows {
		l.Rows, l.Part = l.Rows[:maxLedgerRows], true
	}
	return l
}
