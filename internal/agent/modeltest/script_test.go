package modeltest

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	got, err := Read("f", strings.NewReader(`
key: sesame
turns:
  - {match: weather, always: true, delay: 5ms, pause: 1s, calls: [{id: a, name: weather, arguments: '{"city": "Rome"}'}, {name: clock, namespace: wall}]}
  - {text: Fine., stop: length, usage: {input: 20, cached: 10, output: 3}}
  - {status: 429, error: slow down, retry_after: 2s, header: {X-A: b}}
  - {body: hello}
`))
	want := Script{Key: "sesame", Turns: []Turn{
		{Match: "weather", Always: true, Delay: 5 * time.Millisecond, Pause: time.Second, Calls: []Call{{"a", "weather", `{"city": "Rome"}`, ""}, {"", "clock", "{}", "wall"}}},
		{Text: "Fine.", Stop: "length", Usage: &Usage{20, 10, 3}},
		{Status: 429, Error: "slow down", RetryAfter: 2 * time.Second, Header: map[string]string{"X-A": "b"}},
		{Body: "hello"},
	}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
	for text, words := range map[string]string{
		"turns: []":                     "there are no turns",
		"turns: [{txt: x}]":             `has no "txt"`,
		"turns: [{delay: long}]":        "expected a duration",
		"turns: [{status: -1}]":         "expected a whole number",
		"turns: [{calls: [{nam: x}]}]":  `has no "nam"`,
		"turns: [{usage: {input: a}}]":  "expected a whole number",
		`{"turns": [{"text": "json"}]}`: "",
	} {
		_, err := Read("f", strings.NewReader(text))
		if words == "" && err != nil || words != "" && (err == nil || !strings.Contains(err.Error(), words)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
