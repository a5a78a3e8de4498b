package regex

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// golden is what CPython does with a pattern; testdata/golden.py writes it.
type golden struct {
	P, T              string
	B                 bool
	F                 int
	Err               string
	Flags, Groups     int
	Names             []string
	All               [][]int
	Last              []int
	Match, Full       []int
	Repl, Sub, Suberr string
	N                 int
	hasRepl           bool
}

// bytesOf turns the Latin-1 of the golden file into the bytes it stands for.
func bytesOf(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

func readGolden(t *testing.T, path string) []golden {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []golden
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		g.hasRepl = strings.Contains(lines.Text(), `"repl":`)
		for _, s := range []*string{&g.P, &g.T, &g.Err, &g.Repl, &g.Sub, &g.Suberr} {
			*s = bytesOf(*s)
		}
		for i := range g.Names {
			g.Names[i] = bytesOf(g.Names[i])
		}
		all = append(all, g)
	}
	return all
}

func TestAgreesWithCPython(t *testing.T) {
	path := "testdata/golden.jsonl"
	if p := os.Getenv("REGEX_GOLDEN"); p != "" {
		path = p
	}
	for _, g := range readGolden(t, path) {
		g.check(t)
	}
}

// lacking reports whether a pattern was refused for something that is left out
// on purpose.
func lacking(err error) bool {
	return strings.Contains(err.Error(), "not available")
}

func (g golden) check(t *testing.T) {
	t.Helper()
	p, err := Compile(budget.Free, g.P, g.B, Flags(g.F))
	if err != nil {
		if err.Error() != g.Err && !lacking(err) {
			t.Errorf("compile %q flags %d: got error %q, want %q", g.P, g.F, err, g.Err)
		}
		return
	}
	if g.Err != "" {
		t.Errorf("compile %q flags %d: no error, want %q", g.P, g.F, g.Err)
		return
	}
	var names []string
	for _, n := range p.Names {
		names = append(names, n.Name)
	}
	if int(p.Flags) != g.Flags || p.Groups != g.Groups || !slices.Equal(names, g.Names) {
		t.Errorf("compile %q: flags %d groups %d names %v, want %d %d %v", g.P, p.Flags, p.Groups, names, g.Flags, g.Groups, g.Names)
	}
	g.matches(t, p, false)
	if p.slots == 2*(p.Groups+1) { // Pike's machine sees empty rounds of loops otherwise
		g.matches(t, p, true)
	}
	if g.hasRepl {
		g.substitute(t, p)
	}
}

func (g golden) matches(t *testing.T, p *Pattern, pike bool) {
	t.Helper()
	engine := map[bool]string{false: "backtracker", true: "pike"}[pike]
	var s Scratch
	var all [][]int
	var last []int
	sc := Scanner{Pattern: p, Text: g.T, End: len(g.T), Tired: pike}
	for {
		m, err := sc.Next(budget.Free, &s)
		if err != nil {
			t.Fatal(err)
		}
		if m == nil {
			break
		}
		all = append(all, slices.Clone(m))
		last = append(last, p.LastIndex(m))
	}
	if diff := cmp.Diff(g.All, all); diff != "" && len(g.All)+len(all) > 0 {
		t.Errorf("%s: %q flags %d finditer %q (-want +got):\n%v\n%v", engine, g.P, g.F, g.T, g.All, all)
		return
	}
	if !slices.Equal(g.Last, last) {
		t.Errorf("%s: %q in %q: lastindex %v, want %v", engine, g.P, g.T, last, g.Last)
	}
	for mode, want := range map[Mode][]int{Match: g.Match, Fullmatch: g.Full} {
		got, err := p.find(budget.Free, &s, g.T, mode, pike)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q flags %d mode %d of %q: got %v, %v want %v", engine, g.P, g.F, mode, g.T, got, err, want)
		}
	}
}

func (g golden) substitute(t *testing.T, p *Pattern) {
	t.Helper()
	var s Scratch
	tm, err := ParseTemplate(budget.Free, p, g.Repl)
	if err != nil {
		if err.Error() != g.Suberr {
			t.Errorf("template %q for %q: got error %q, want %q", g.Repl, g.P, err, g.Suberr)
		}
		return
	}
	if g.Suberr != "" {
		t.Errorf("template %q for %q: no error, want %q", g.Repl, g.P, g.Suberr)
		return
	}
	got, n, err := p.Sub(budget.Free, &s, tm, g.T, 0)
	if err != nil || got != g.Sub || n != g.N {
		t.Errorf("sub %q by %q in %q: got %q, %d, %v, want %q, %d", g.P, g.Repl, g.T, got, n, err, g.Sub, g.N)
	}
}

// purse refuses once it is empty.
type purse struct{ bytes, units, largest int }

var errBroke = errors.New("broke")

func (p *purse) Alloc(n int) error {
	if p.bytes -= n; p.bytes < 0 {
		return errBroke
	}
	return nil
}

func (p *purse) Work(n int) error {
	p.largest = max(p.largest, n)
	if p.units -= n; p.units < 0 {
		return errBroke
	}
	return nil
}

func (p *Pattern) find(m budget.Meter, s *Scratch, text string, mode Mode, pike bool) ([]int, error) {
	a := attempt{
		Pattern: p, s: s, m: m, text: text, tired: pike,
		only: mode != Search, whole: mode == Fullmatch,
	}
	return a.run()
}
