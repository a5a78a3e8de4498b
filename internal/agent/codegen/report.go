package codegen

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// maxReport bounds a report, in bytes.
const maxReport = 4 << 20

// report is the story of a generation for people, in Markdown. What models, samples
// and tests say stands between fences that are not in it.
type report struct{ body strings.Builder }

func (r *report) note(line string) { r.write("- " + line + "\n") }

func (r *report) write(text string) {
	if r.body.Len()+len(text) <= maxReport {
		r.body.WriteString(text)
	}
}

// add shows a text that is new; number counts those of one title, 0 where there is
// one.
func (r *report) add(title string, number int, language, text string) {
	if number > 0 {
		title = fmt.Sprintf("%s %d", title, number)
	}
	if text != "" {
		r.write("\n" + title + ":\n\n" + fence(language, text) + "\n")
	}
}

// change shows what has become of a text.
func (r *report) change(title, before, after string) {
	text := string(diff.Diff("before", []byte(before), "after", []byte(after)))
	if text == "" {
		r.write("\n" + title + ": unchanged.\n\n")
		return
	}
	r.add(title+", changed", 0, "diff", text)
}

// reportRuns tells how the tests ended.
func (g *generation) reportRuns(all []*solution) {
	g.report.write(fmt.Sprintf("\n### Run %d of the tests\n\n", g.attempts))
	for _, s := range all {
		g.note("%s", s.say())
	}
	if !g.best.last.passes() {
		g.report.add(fmt.Sprintf("What the tests of candidate %d printed", g.best.number), 0, "", clip(g.best.last.output))
	}
}

// reportText is the whole report.
func (g *generation) reportText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A script for: %s\n\n", oneLine(g.prompt))
	verdict := "Success: its tests pass."
	switch {
	case g.success && g.spec.SkipTests:
		verdict = "There is a script. It has no tests, because none were wanted."
	case !g.success:
		verdict = "No success: " + g.failure + "."
	}
	u := g.calls.spent.models
	fmt.Fprintf(&b, "%s\n\n| | |\n|---|---|\n| runs of the tests | %d |\n| questions to the model | %d |\n| tokens in, out | %d, %d |\n", verdict, g.attempts, g.calls.spent.questions, u.Input, u.Output)
	if u.Cost > 0 {
		fmt.Fprintf(&b, "| US dollars | %.6g |\n", u.Cost)
	}
	if s := g.best; s != nil {
		image := g.imageOf(s)
		fmt.Fprintf(&b, "| packages | %s |\n| system packages | %s |\n", listed(image.Packages), listed(image.SystemPackages))
	}
	b.WriteString("\n## What was asked\n\n" + fence("", g.prompt))
	for _, c := range g.spec.Constraints {
		b.WriteString("\n- " + oneLine(c))
	}
	b.WriteString("\n")
	if g.context != "" {
		fmt.Fprintf(&b, "\nThe model heard of the samples (%s):\n\n%s", orDefault(g.spec.Samples), fence("", g.context))
	}
	fmt.Fprintf(&b, "\n## The plan\n\n%s\n", fence("", strings.TrimSpace(g.plan.Description+"\n\n"+g.plan.Approach)))
	b.WriteString("\n## What was done\n\n" + g.report.body.String())
	if g.best != nil {
		b.WriteString("\n## The script\n\n" + fence("python", g.best.code))
	}
	if g.tests != "" {
		b.WriteString("\n## The tests\n\n" + fence("python", g.tests))
	}
	return value.Shorten(b.String(), 2*maxReport)
}

func orDefault(m api.SamplesMode) api.SamplesMode {
	if m == "" {
		return api.SampleRows
	}
	return m
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return oneLine(strings.Join(names, ", "))
}
