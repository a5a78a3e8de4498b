package py_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

func TestPieces(t *testing.T) {
	for _, test := range []struct {
		source   string
		complete bool
		ready    []string
		rest     string
	}{
		{"x = 1\ny = ", false, []string{"x = 1\n"}, "\ny = "},
		{"x = 1", false, nil, "x = 1"},
		{"x = 1", true, []string{"x = 1"}, ""},
		{"a; b\n\n# c\n", false, []string{"a; b\n\n# c\n"}, "\n\n\n"},
		{"a\n# the end\n", true, []string{"a\n# the end\n"}, ""},
		{"\n\n# the end\n", true, nil, ""},
		{"if x:\n    a\n", false, nil, "if x:\n    a\n"},
		{"if x:\n    a\n\n    # b\n", false, nil, "if x:\n    a\n\n    # b\n"},
		{"if x:\n    a\ne", false, nil, "if x:\n    a\ne"},
		{"if x:\n    a\nelse", false, nil, "if x:\n    a\nelse"},
		{"if x:\n    a\nelsewhere", false, []string{"if x:\n    a\n"}, "\n\nelsewhere"},
		{"if x: a\n", false, nil, "if x: a\n"},
		{"if x: a\nb", false, []string{"if x: a\n"}, "\nb"},
		{"try:\n    a\nfinally:\n    b\nc\n", false, []string{"try:\n    a\nfinally:\n    b\n", "\n\n\n\nc\n"}, "\n\n\n\n\n"},
		{"@a\n@b\n", false, nil, "@a\n@b\n"},
		{"@a\ndef f(): pass\n@", false, []string{"@a\ndef f(): pass\n"}, "\n\n@"},
		{"x = (1,\n", false, nil, "x = (1,\n"},
		{"x = '''a\n", false, nil, "x = '''a\n"},
		{"x = f'''{a}\n", false, nil, "x = f'''{a}\n"},
		{"x = 1 + \\\n", false, nil, "x = 1 + \\\n"},
		{"match x:\n    case 1:\n        a\n", false, nil, "match x:\n    case 1:\n        a\n"},
		{"match x:\n    case 1:\n        a\nb", false, []string{"match x:\n    case 1:\n        a\n"}, "\n\n\nb"},
		{"match = 1\n", false, []string{"match = 1\n"}, "\n"},
		{"a\r\nb\r", false, []string{"a\n"}, "\nb\r"},
		{"a\rb", false, []string{"a\n"}, "\nb"},
		{"a\nb c\nd\n", false, []string{"a\n"}, "\nb c\nd\n"},
		{"a\nb c\nd\n", true, []string{"a\n", "\nb c\nd\n"}, ""},
		{"a\nb\xc3", false, []string{"a\n"}, "\nb\xc3"},
		{"\\\na\n", false, []string{"\\\na\n"}, "\n\n"},
		{"if a: b\n\\\nc\n", false, []string{"if a: b\n", "\n\\\nc\n"}, "\n\n\n"},
	} {
		ready, rest := py.Pieces(test.source, test.complete)
		if !slices.Equal(ready, test.ready) || rest != test.rest {
			t.Errorf("%q, %v:\n%q, %q, want\n%q, %q", test.source, test.complete, ready, rest, test.ready, test.rest)
		}
	}
}

// story is what came of a source: what it printed and called, and how it ended.
type story struct{ output, calls, end string }

// TestPiecesAreTheWhole runs the programs of the corpus as programs and in pieces,
// which arrive in texts of any length.
func TestPiecesAreTheWhole(t *testing.T) {
	long(t)
	compared := 0
	for i, source := range corpus(t) {
		if strings.Contains(source, "sys.exit") || strings.Contains(source, "get_running_loop()\n") {
			continue // it ends one piece; a console has a loop, as a program that awaits outside of functions
		}
		whole, ok := runWhole(t, source)
		if !ok {
			continue
		}
		compared++
		if got := runPieces(t, source, rand.New(rand.NewPCG(3, uint64(i)))); got != whole {
			t.Errorf("program %d:\n%s\nin pieces: %+v\nas a whole: %+v", i, source, got, whole)
		}
	}
	if compared < 100 {
		t.Errorf("only %d programs", compared)
	}
}

func pieceOptions() py.Options {
	anything := value.Type{Kind: value.KindAny}
	x := []py.Param{{Name: "x", Type: anything, HasDefault: true}, {Name: "y", Type: anything, HasDefault: true}}
	return py.Options{Dialect: py.Extended, Tools: []py.Tool{
		{Name: "tool", Params: x, Result: anything}, {Name: "later", Params: x[:1], Result: anything, Async: true},
	}}
}

var pieceLimits = py.RunOptions{Limits: py.Limits{Time: 20 * time.Second}}

func runWhole(t *testing.T, source string) (s story, ok bool) {
	t.Helper()
	program, err := py.Compile(source, pieceOptions())
	if err != nil {
		return story{}, false
	}
	state, err := program.Start(context.Background(), nil, pieceLimits)
	if err != nil {
		t.Fatal(err)
	}
	s.tell(t, state)
	return s, true
}

func runPieces(t *testing.T, source string, r *rand.Rand) (s story) {
	t.Helper()
	c, err := py.NewConsole(pieceOptions(), value.Fields{}, pieceLimits)
	if err != nil {
		t.Fatal(err)
	}
	for rest, left := "", source; ; {
		n := r.IntN(len(left) + 1)
		if r.IntN(2) == 0 {
			n = min(n, 20)
		}
		var ready []string
		ready, rest = py.Pieces(rest+left[:n], n == len(left))
		for _, piece := range ready {
			if err := c.Feed(context.Background(), "", piece); err != nil {
				t.Fatalf("%v:\n%s", err, piece)
			}
			s.tell(t, c.State())
			if c.State().Status() == py.Failed {
				return s
			}
		}
		if left = left[n:]; left == "" {
			return s
		}
	}
}

// tell runs a program to its end, and adds what came of it.
func (s *story) tell(t *testing.T, state *py.State) {
	t.Helper()
	for state.Status() == py.Waiting {
		var results []py.Result
		for _, call := range state.Calls() {
			results = append(results, py.Return(call.ID, call.Args[0]))
			s.calls += fmt.Sprint(call.ID, call.Tool, " ")
		}
		if err := state.Resume(context.Background(), results...); err != nil {
			t.Fatal(err)
		}
	}
	s.output += state.Output()
	s.end = ""
	_, err := state.Result()
	var exception *py.Exception
	switch {
	case errors.As(err, &exception):
		s.end = fmt.Sprint(exception, exception.Lines)
	case err != nil:
		s.end = err.Error()
	default:
		s.end, _ = state.Repr()
	}
}
