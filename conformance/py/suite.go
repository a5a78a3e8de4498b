package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// suite is a set of programs from elsewhere.
type suite struct {
	name  string
	cases []testCase
	left  map[string]int // what was left out, by its reason
}

// testCase is one program and how it has to end.
type testCase struct {
	name   string // group and name: "test_set.TestSet.test_add"
	group  string
	source string
	ends   func(end) string // "" if it ended as it should, else what is wrong
	wrong  verdict
}

// verdict says what became of a case.
type verdict struct {
	kind   string // passed, refused or failed
	reason string // one line
}

// The kinds of verdicts.
const (
	passed  = "passed"
	refused = "refused" // before it ran: the program uses what the language does not have
	failed  = "failed"
)

func (s *suite) runAll(only string) {
	s.cases = slices.DeleteFunc(s.cases, func(c testCase) bool { return !strings.HasPrefix(c.name, only) })
	for i := range s.cases {
		c := &s.cases[i]
		c.wrong = judge(c)
	}
}

func judge(c *testCase) verdict {
	e := execute(c.source)
	if wrong := c.ends(e); wrong != "" {
		if e.refused {
			return verdict{refused, wrong}
		}
		return verdict{failed, wrong}
	}
	return verdict{kind: passed}
}

func (s *suite) count(kind, group string) int {
	n := 0
	for _, c := range s.cases {
		if c.wrong.kind == kind && (group == "" || c.group == group) {
			n++
		}
	}
	return n
}

func (s *suite) summary(w io.Writer) {
	total := len(s.cases)
	if total == 0 {
		return
	}
	n := s.count(passed, "")
	fmt.Fprintf(w, "%s: %d of %d passed (%.1f %%), %d refused before they ran, %d failed\n",
		s.name, n, total, 100*float64(n)/float64(total), s.count(refused, ""), s.count(failed, ""))
	for _, reason := range slices.Sorted(maps.Keys(s.left)) {
		fmt.Fprintf(w, "  left out: %d, %s\n", s.left[reason], reason)
	}
	for _, group := range s.groups() {
		total := s.count(passed, group) + s.count(refused, group) + s.count(failed, group)
		fmt.Fprintf(w, "  %-24s %4d of %4d\n", group, s.count(passed, group), total)
	}
}

// groups returns the names of the groups in order.
func (s *suite) groups() []string {
	seen := map[string]bool{}
	for _, c := range s.cases {
		seen[c.group] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// failures lists what did not pass, by reason, the most frequent first.
func (s *suite) failures(w io.Writer) {
	byReason := map[string][]string{}
	for _, c := range s.cases {
		if c.wrong.kind != passed {
			key := c.wrong.kind + ": " + c.wrong.reason
			byReason[key] = append(byReason[key], c.name)
		}
	}
	reasons := slices.SortedFunc(maps.Keys(byReason), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byReason[b]), len(byReason[a])), cmp.Compare(a, b))
	})
	for _, reason := range reasons {
		fmt.Fprintf(w, "%4d  %s\n      %s\n", len(byReason[reason]), reason, strings.Join(byReason[reason], " "))
	}
}
