package page

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

type compareData struct {
	Both    [2]runRow
	Inputs  []pair
	Outputs []pair
	Times   []pair
	Code    []diffLine
	Same    bool // the code
}

// pair is one thing of two runs.
type pair struct {
	Name    string
	A, B    string
	Differs bool
}

// diffLine is a line of code that both have, or one of them.
type diffLine struct {
	Sign string // " ", "-" or "+"
	Text string
}

func (p *Page) compare(r *http.Request) (content, error) {
	q := r.URL.Query()
	if q.Get("attempt-a") != "" || q.Get("attempt-b") != "" {
		return p.compareAttempts(r)
	}
	for _, name := range []string{"a", "b"} {
		if q.Get(name) == "" {
			return content{}, api.Errorf(api.RequestInvalid, "two runs are compared, and %s is missing", name).WithDetails(api.Details{Field: name, Expected: "the id of a run"})
		}
	}
	a, err := p.Service.Run(r.Context(), q.Get("a"))
	if err != nil {
		return content{}, err
	}
	b, err := p.Service.Run(r.Context(), q.Get("b"))
	if err != nil {
		return content{}, err
	}
	taskA, err := p.Service.RunTask(r.Context(), a.ID)
	if err != nil {
		return content{}, err
	}
	taskB, err := p.Service.RunTask(r.Context(), b.ID)
	if err != nil {
		return content{}, err
	}
	data := &compareData{
		Both: [2]runRow{p.row(*a), p.row(*b)}, Inputs: pairsOf(a.Inputs, b.Inputs), Outputs: pairsOf(a.Outputs, b.Outputs), Times: timesOf(a, b),
		Same: taskA.Code == taskB.Code,
	}
	if !data.Same {
		data.Code = compareLines(taskA.Code, taskB.Code)
	}
	return content{Template: "compare", Title: "Two runs", Nav: "runs", Data: data}, nil
}

func pairsOf(a, b json.RawMessage) []pair {
	read := func(raw json.RawMessage) (m map[string]json.RawMessage) {
		_ = json.Unmarshal(raw, &m) // null, and what is damaged, have no fields
		return m
	}
	left, right := read(a), read(b)
	var names []string
	for name := range left {
		names = append(names, name)
	}
	for name := range right {
		if _, ok := left[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	pairs := make([]pair, len(names))
	for i, name := range names {
		pairs[i] = pair{name, shown(left[name]), shown(right[name]), !bytes.Equal(left[name], right[name])}
	}
	return pairs
}

func shown(raw json.RawMessage) string {
	return visible(value.Shorten(string(raw), maxShownText))
}

func timesOf(a, b *api.Run) []pair {
	var pairs []pair
	left, right := stagesOf(a), stagesOf(b)
	for i, s := range left {
		if s.took > 0 || right[i].took > 0 {
			pairs = append(pairs, pair{s.title, took(s.took), took(right[i].took), false})
		}
	}
	return append(pairs, pair{"in all", took(a.Timings.Total), took(b.Timings.Total), false})
}

// maxDiffText bounds the texts that are compared, in bytes.
const maxDiffText = 1 << 20

// compareLines says by lines how one text became another, with some of the lines
// around each difference.
func compareLines(before, after string) []diffLine {
	before, after = value.Shorten(before, maxDiffText), value.Shorten(after, maxDiffText)
	_, body, _ := strings.Cut(string(diff.Diff("before", endLine(before), "after", endLine(after))), "+++ after\n")
	var out []diffLine
	for l := range strings.Lines(body) {
		l = strings.TrimSuffix(l, "\n")
		if l == "" || l[0] == '\\' {
			continue
		}
		if l[0] == '@' {
			out = append(out, diffLine{" ", "⋯ " + l})
			continue
		}
		out = append(out, diffLine{l[:1], visible(l[1:])})
	}
	return out
}

func endLine(text string) []byte { return []byte(strings.TrimSuffix(text, "\n") + "\n") }
