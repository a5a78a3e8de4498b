package attack

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Report says what became of all attacks.
type Report struct {
	Version   string        `json:"version"`   // of the program
	Isolation string        `json:"isolation"` // the version of gVisor
	Platform  string        `json:"platform"`  // such as linux/amd64
	User      string        `json:"user"`      // root, or ordinary
	Form      Form          `json:"form"`      // short or all
	Began     time.Time     `json:"began"`
	Took      time.Duration `json:"took_ns"`

	Held          int `json:"held"`          // attacks that came to nothing
	Broken        int `json:"broken"`        // that succeeded
	Unenforceable int `json:"unenforceable"` // whose limit this host cannot enforce
	Untried       int `json:"untried"`       // that could not be tried, or that the short form leaves out

	Results []Result `json:"results"`
	// Host has what the doctor finds wrong with this host, and where something better
	// could be had.
	Host []api.Finding `json:"host"`
}

// Form is how much is tried.
type Form string

// The forms.
const (
	Short Form = "short" // what takes about a minute
	All   Form = "all"
)

// leftOut is why the short form has no verdict.
const leftOut = "the short form leaves it out"

// Run tries all cases of a form, one after the other, until ctx ends. Heard is called
// with each result.
func Run(ctx context.Context, b *Bench, cases []Case, form Form, heard func(Result)) Report {
	report := Report{Form: form, Began: time.Now(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Results: []Result{}, Host: []api.Finding{}}
	for _, c := range cases {
		if ctx.Err() != nil {
			break
		}
		r := Result{Name: c.Name, Area: c.Area, Tries: c.Tries, Verdict: Untried, Detail: leftOut, Remedy: "glovebox doctor --attack=all"}
		if form == All || !c.Long {
			if r = Try(ctx, c, b); ctx.Err() != nil {
				break // and how it ended says nothing
			}
			heard(r)
		}
		report.add(r)
	}
	report.Took = time.Since(report.Began)
	return report
}

func (r *Report) add(result Result) {
	r.Results = append(r.Results, result)
	switch result.Verdict {
	case Held:
		r.Held++
	case Broken:
		r.Broken++
	case Unenforceable:
		r.Unenforceable++
	case Untried:
		r.Untried++
	}
}

// Conclusion is one sentence.
func (r *Report) Conclusion() string {
	tried := r.Held + r.Broken
	switch {
	case r.Broken > 0:
		return fmt.Sprintf("%d of %s succeeded.", r.Broken, plural(tried, "attack"))
	case tried == 0:
		return "Nothing could be tried."
	case r.Untried+r.Unenforceable > 0:
		return fmt.Sprintf("All %s that were tried came to nothing; of %s nothing is known.", plural(tried, "attack"), plural(r.Untried+r.Unenforceable, "other"))
	}
	return fmt.Sprintf("All %s came to nothing.", plural(tried, "attack"))
}

// Changes are what to do on this host, each once, what is wrong first.
func (r *Report) Changes() (todo []string) {
	for _, verdict := range []Verdict{Broken, Unenforceable, Untried} {
		for _, result := range r.Results {
			if result.Verdict == verdict && result.Remedy != "" {
				todo = append(todo, result.Remedy)
			}
		}
	}
	for _, f := range r.Host {
		if f.Remedy != "" {
			todo = append(todo, f.Subject+": "+f.Remedy)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(todo, func(s string) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}

// Areas returns the results of each area, in the order of the report.
func (r *Report) Areas() (areas [][]Result) {
	for _, result := range r.Results {
		if n := len(areas); n > 0 && areas[n-1][0].Area == result.Area {
			areas[n-1] = append(areas[n-1], result)
			continue
		}
		areas = append(areas, []Result{result})
	}
	return areas
}

//go:embed report.html
var reportHTML string

var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"id":    func(name string) string { id, _, _ := strings.Cut(name, "_"); return id },
	"round": func(d time.Duration) string { return d.Round(10 * time.Millisecond).String() },
	"when":  func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
	"word": func(v Verdict) string {
		return cmp.Or(map[Verdict]string{Unenforceable: "cannot be enforced", Untried: "not tried"}[v], string(v))
	},
}).Parse(reportHTML))

// WriteHTML writes the report as one page that needs nothing else.
func (r *Report) WriteHTML(w io.Writer) error { return page.Execute(w, r) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
