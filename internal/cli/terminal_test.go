package cli

import (
	"context"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// stagesAround shows progress before, while and after something is printed.
type stagesAround struct{ *fakeService }

func (s stagesAround) Submit(ctx context.Context, sub api.Submission) (*api.Run, error) {
	sub.Progress(api.Progress{Stage: "start", Message: "starting the cell"})
	for _, piece := range strings.SplitAfter(s.stdout, "|") {
		_, _ = io.WriteString(sub.Stdout, strings.TrimSuffix(piece, "|"))
		sub.Progress(api.Progress{Stage: "collect", Message: "collecting outputs"})
	}
	_, _ = io.WriteString(sub.Stderr, s.stderr)
	return &api.Run{ID: "run-1"}, nil
}

// TestNothingIsErased: what a program prints stays on the terminal, whether its
// last line ends or not.
func TestNothingIsErased(t *testing.T) {
	failed := api.Errorf(api.NonzeroExit, "the program ended with status 3")
	failure := []string{"abc", "glovebox: nonzero_exit: the program ended with status 3", "  hint: read the last lines of its standard error", ""}
	cases := map[string]struct {
		service fakeService
		args    []string
		want    []string
	}{
		"a line without end":    {fakeService{stdout: "abc", result: &api.Result{}}, nil, []string{"abc"}},
		"a line":                {fakeService{stdout: "abc\n", result: &api.Result{}}, nil, []string{"abc", ""}},
		"dots":                  {fakeService{stdout: ".|.|.", result: &api.Result{}}, nil, []string{"..."}},
		"colours":               {fakeService{stdout: "\x1b[32mgreen\n\x1b[0m", result: &api.Result{}}, nil, []string{"green", ""}},
		"a failure":             {fakeService{stdout: "abc", failure: failed}, nil, failure},
		"a failure after lines": {fakeService{stdout: "abc\n", failure: failed}, nil, failure},
		"outputs": {fakeService{stdout: "ab|c", stderr: "e\n", result: resultOf(int64(7), "int")}, []string{"-o", "result:int"},
			[]string{"e", "abc", `{"result":7}`, ""}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			text, _ := onTerminal(t, stagesAround{&c.service}, append([]string{"run", "-c", "x"}, c.args...)...)
			if diff := cmp.Diff(c.want, display(t, text)); diff != "" {
				t.Errorf("screen (-want +got):\n%s\nof %q", diff, text)
			}
		})
	}
}

// hostile is what a terminal must not get from a program.
const hostile = "\x1b]0;title\x07\x1b[2J\x1b[5A\x1b[?25l\x1b(0\x9b31m\u009b32m\u202e\u2066\x08\x7f\x00\x0e\u2028\x1b"

// hostileText is the part of it that is UTF-8.
var hostileText = strings.ToValidUTF8(hostile, "")

// TestEscapesAreShown: no sequence but colours gets to a terminal, in whatever
// pieces it comes; and every byte if asked for, or elsewhere.
func TestEscapesAreShown(t *testing.T) {
	want := "a\ufffd]0;title\ufffd\ufffd[2J\ufffd[5A\ufffd[?25l\ufffd(0\ufffd31m\ufffd32m" +
		"\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd" + "\x1b[1;38:5:196mé\t\x1b[0m\r\n\ufffd\x1b[0m"
	text := "a" + hostile + "\x1b[1;38:5:196mé\t\x1b[0m\r\n\x1b"
	for size := range len(text) {
		var b strings.Builder
		safe := &harmless{w: &b}
		for piece := range slices.Chunk([]byte(text), size+1) {
			if n, err := safe.Write(piece); n != len(piece) || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := safe.flush(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Fatalf("in pieces of %d (-want +got):\n%s", size+1, diff)
		}
	}
}

func TestColoursAreBounded(t *testing.T) {
	var b strings.Builder
	safe := &harmless{w: &b}
	text := "\x1b[" + strings.Repeat("1;", 1000)
	if _, err := safe.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if want := "\ufffd" + text[1:]; b.String() != want || len(safe.rest) > longestColour {
		t.Errorf("got %q, kept %d", b.String(), len(safe.rest))
	}
}

// TestStreamsOnATerminal: what programs print is made safe wherever it is shown.
func TestStreamsOnATerminal(t *testing.T) {
	service := func() *fakeService {
		return &fakeService{stdout: hostile, stderr: hostile, result: resultOf(hostileText, "str"), tasks: map[string]*api.TaskVersion{"t": statsTask()},
			runs: map[string]*api.Run{"run-1": {ID: "run-1", Signature: &api.Signature{}, Kind: api.KindSandbox}},
			log:  []api.LogEntry{{Seq: 1, Stream: "stdout", Text: hostile}, {Seq: 2, Stream: "stderr", Data: []byte(hostile)}, {Seq: 3, Stream: "system", Text: hostile}}}
	}
	for _, line := range []string{"run -c x", "run -c x -o result:str", "run -c x --json", "start t -i n=1", "orchestrate -c 1", "logs run-1", "logs run-1 --json", "rerun run-1", "resume run-1"} {
		t.Run(line, func(t *testing.T) {
			text, status := onTerminal(t, service(), strings.Fields(line)...)
			if status != 0 {
				t.Fatalf("status %d: %q", status, text)
			}
			rest := strings.ReplaceAll(string(withoutColours([]byte(text))), "\x1b[K", "")
			for _, r := range rest {
				if r != '\r' && r != '\n' && tricks(r) {
					t.Errorf("%U is in %q", r, text)
				}
			}
		})
	}
	for _, line := range []string{"run -c x --raw", "logs run-1 --raw"} {
		if text, _ := onTerminal(t, service(), strings.Fields(line)...); !strings.Contains(text, strings.TrimSuffix(hostile, "\x1b")) {
			t.Errorf("%s changes %q", line, text)
		}
	}
	if got := run(t, service(), "run", "-c", "x"); got.out != hostile || got.err != hostile {
		t.Errorf("what is no terminal gets %q and %q", got.out, got.err)
	}
}

// TestDocumentsOnATerminal: escaped JSON means the same.
func TestDocumentsOnATerminal(t *testing.T) {
	text, _ := onTerminal(t, &fakeService{result: resultOf(hostileText, "str")}, "run", "-c", "x", "-o", "result:str")
	var got map[string]string
	if err := json.Unmarshal([]byte(text[strings.Index(text, "{"):]), &got); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	if got["result"] != hostileText {
		t.Errorf("got %q, want %q", got["result"], hostileText)
	}
}

var control = regexp.MustCompile(`^\x1b\[([0-9;]*)([A-Za-z])`)

// display returns the lines that are on a terminal that got text.
func display(t *testing.T, text string) []string {
	t.Helper()
	rows, row, column := [][]rune{nil}, 0, 0
	for len(text) > 0 {
		if m := control.FindStringSubmatch(text); m != nil {
			text = text[len(m[0]):]
			n, _ := strconv.Atoi(m[1])
			switch m[2] {
			case "K":
				rows[row] = rows[row][:min(column, len(rows[row]))]
			case "A":
				row = max(0, row-max(1, n))
			case "m":
			default:
				t.Fatalf("unexpected sequence %q", m[0])
			}
			continue
		}
		r := []rune(text)[0]
		text = text[len(string(r)):]
		switch r {
		case '\r':
			column = 0
		case '\n':
			if row++; row == len(rows) {
				rows = append(rows, nil)
			}
		default:
			if r < ' ' {
				t.Fatalf("unexpected character %q", r)
			}
			for len(rows[row]) <= column {
				rows[row] = append(rows[row], ' ')
			}
			rows[row][column] = r
			column++
		}
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, strings.TrimRight(string(r), " "))
	}
	return lines
}
