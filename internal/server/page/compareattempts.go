package page

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// attemptsData is two attempts of one run, beside each other.
type attemptsData struct {
	Run   runRow
	Both  [2]attempt
	Calls []pair
	Log   []diffLine
	Same  bool // what they printed
}

// compareAttempts shows two attempts of a run: their inputs and code are the same.
func (p *Page) compareAttempts(r *http.Request) (content, error) {
	ctx, q := r.Context(), r.URL.Query()
	if q.Get("a") == "" || q.Get("b") != "" && q.Get("b") != q.Get("a") {
		return content{}, api.Errorf(api.RequestInvalid, "two attempts of one run are compared, and a and b are not the same run").
			WithDetails(api.Details{Field: "b", Expected: "the run that a names"})
	}
	run, err := p.Service.Run(ctx, q.Get("a"))
	if err != nil {
		return content{}, err
	}
	all, err := p.attemptsOf(ctx, run)
	if err != nil {
		return content{}, err
	}
	data := &attemptsData{Run: p.row(*run)}
	for i, name := range []string{"attempt-a", "attempt-b"} {
		if data.Both[i], err = attemptNumber(all, name, q.Get(name)); err != nil {
			return content{}, err
		}
	}
	data.Calls = pairCalls(data.Both[0].Calls, data.Both[1].Calls)
	if err := p.compareLogs(ctx, data); err != nil {
		return content{}, err
	}
	return content{Template: "attempts", Title: "Two attempts", Nav: "runs", Data: data}, nil
}

func attemptNumber(all []attempt, field, text string) (attempt, error) {
	for _, one := range all {
		if strconv.Itoa(one.Number) == text {
			return one, nil
		}
	}
	return attempt{}, api.Errorf(api.NotFound, "the run has no attempt %q among its last ones", value.Shorten(text, 20)).
		WithDetails(api.Details{Field: field, Got: value.Shorten(text, 20), Expected: "the number of an attempt"})
}

// pairCalls puts calls with the same number beside each other.
func pairCalls(a, b []attemptCall) []pair {
	said := func(calls []attemptCall, i int) string {
		switch {
		case i >= len(calls):
			return "none"
		case calls[i].Reused:
			return visible(calls[i].Tool) + ": reused"
		case calls[i].Status == "":
			return visible(calls[i].Tool) + ": no answer"
		}
		return fmt.Sprintf("%s: %s", visible(calls[i].Tool), calls[i].Status)
	}
	var pairs []pair
	for i := range min(max(len(a), len(b)), maxPairedCalls) {
		left, right := said(a, i), said(b, i)
		pairs = append(pairs, pair{fmt.Sprint("call ", i+1), left, right, left != right})
	}
	return pairs
}

// maxPairedCalls bounds the calls that are shown beside each other.
const maxPairedCalls = 200

// compareLogs compares what the attempts printed: what a log has from the time of one
// until the time of the next.
func (p *Page) compareLogs(ctx context.Context, data *attemptsData) error {
	var texts [2]strings.Builder
	for e, err := range p.Service.Logs(ctx, data.Run.ID, 0, false) {
		if err != nil {
			return err
		}
		for i := range data.Both {
			within := !e.Time.Before(data.Both[i].Began) && !e.Time.After(data.Both[i].Ended)
			if within && e.Stream != "system" && texts[i].Len() < maxDiffText {
				texts[i].Write(e.Bytes())
			}
		}
	}
	left, right := printable(texts[0].String()), printable(texts[1].String())
	if data.Same = left == right; !data.Same {
		data.Log = compareLines(left, right)
	}
	return nil
}

func printable(text string) string { return withoutEscapes(strings.ToValidUTF8(text, "�")) }
