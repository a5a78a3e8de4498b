// Package attack attacks an installed Glovebox, on the host that it is on, in the ways
// that docs/THREAT_MODEL.md lists, and reports what held.
//
// A case is one attack: a sentence that says what is tried, and a function that tries
// it on a Target and judges from outside. The tests of the whole program execute the
// same cases on real cells. A second target of the tests isolates nothing, and each
// case has to be found broken there: one that cannot fail shows nothing.
//
// A case hurts no host on which it succeeds: what it reads, reaches and fills is its
// own, and it ends by itself.
package attack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Area is a part of what is attacked.
type Area string

// The areas, in the order of a report.
const (
	Host        Area = "host"
	Resources   Area = "resources"
	Outputs     Area = "outputs"
	Network     Area = "network"
	Secrets     Area = "secrets"
	Sessions    Area = "sessions"
	Interpreter Area = "interpreter"
	Server      Area = "server"
)

// Case is one attack.
type Case struct {
	Name   string // begins with the ID of its row in docs/THREAT_MODEL.md
	Area   Area
	Tries  string // one sentence
	Long   bool   // whether the short form leaves it out
	Attack func(context.Context, *Bench) error
}

// Cases returns all attacks, those of an area together.
func Cases() []Case {
	return slices.Concat(hostCases(), resourceCases(), outputCases(), networkCases(), secretCases(), sessionCases(), interpreterCases(), serverCases())
}

// Verdict is what became of an attack.
type Verdict string

// The verdicts.
const (
	Held          Verdict = "held"          // it came to nothing
	Broken        Verdict = "broken"        // it succeeded
	Unenforceable Verdict = "unenforceable" // this host cannot enforce what it attacks, and the engine refuses to do without
	Untried       Verdict = "untried"       // it could not be tried, so nothing is known
)

// Result is what became of one attack.
type Result struct {
	Name    string        `json:"name"`             // of the case
	Area    Area          `json:"area"`             // a part of what is attacked
	Tries   string        `json:"tries"`            // what it tries
	Verdict Verdict       `json:"verdict"`          // held, broken, unenforceable or untried
	Detail  string        `json:"detail,omitempty"` // why it did not hold
	Remedy  string        `json:"remedy,omitempty"` // what to change
	Took    time.Duration `json:"took_ns"`
}

// patience bounds one case. A busy host takes long to start a cell.
const patience = time.Minute

// Try executes one case.
func Try(ctx context.Context, c Case, b *Bench) Result {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	began := time.Now()
	r := judge(c.Attack(ctx, b))
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && r.Verdict == Untried {
		r.Detail = fmt.Sprintf("it was given up after %s: %s", patience, r.Detail)
	}
	r.Name, r.Area, r.Tries, r.Took = c.Name, c.Area, c.Tries, time.Since(began)
	return r
}

func judge(err error) Result {
	var gave *gaveWay
	if errors.As(err, &gave) {
		return Result{Verdict: Broken, Detail: value.Shorten(gave.how, maxDetail), Remedy: reportIt}
	}
	if err == nil {
		return Result{Verdict: Held}
	}
	e := api.AsError(err)
	if e.Code == api.IsolationUnavailable {
		return Result{Verdict: Unenforceable, Detail: value.Shorten(e.Message, maxDetail), Remedy: e.Hint}
	}
	return Result{Verdict: Untried, Detail: value.Shorten(e.Message, maxDetail), Remedy: e.Hint}
}

// reportIt is what to do about an attack that succeeds.
const reportIt = "run no code that you do not trust on this host, and report it as SECURITY.md says"

// gaveWay is the error of a case that succeeded.
type gaveWay struct{ how string }

func (g *gaveWay) Error() string { return g.how }

// broken says how an attack succeeded.
func broken(format string, args ...any) error { return &gaveWay{fmt.Sprintf(format, args...)} }

// maxDetail bounds what a report says about one case, in bytes.
const maxDetail = 500
