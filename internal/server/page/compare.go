package page

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

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
		data.Code = diff(taskA.Code, taskB.Code)
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

// maxDiffLines bounds the lines that are compared, whose product is how much is done.
const maxDiffLines = 2000

// diff compares two texts by their lines: those that both have in the same order stay.
func diff(before, after string) []diffLine {
	a, b := lines(before), lines(after)
	prefix := 0
	for prefix < len(a) && prefix < len(b) && a[prefix] == b[prefix] {
		prefix++
	}
	suffix := 0
	for suffix < len(a)-prefix && suffix < len(b)-prefix && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	var out []diffLine
	for _, l := range a[:prefix] {
		out = append(out, diffLine{" ", visible(l)})
	}
	out = append(out, middle(a[prefix:len(a)-suffix], b[prefix:len(b)-suffix])...)
	for _, l := range a[len(a)-suffix:] {
		out = append(out, diffLine{" ", visible(l)})
	}
	return out
}

func lines(text string) []string {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return all[:min(len(all), maxDiffLines)]
}

// middle compares by the longest common subsequence.
func middle(a, b []string) []diffLine {
	length := make([][]int32, len(a)+1)
	for i := range length {
		length[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var out []diffLine
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, diffLine{" ", visible(a[i])})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && length[i+1][j] >= length[i][j+1]:
			out = append(out, diffLine{"-", visible(a[i])})
			i++
		default:
			out = append(out, diffLine{"+", visible(b[j])})
			j++
		}
	}
	return out
}
