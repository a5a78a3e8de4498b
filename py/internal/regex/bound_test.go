package regex

import (
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

func compile(t testing.TB, pattern string) *Pattern {
	t.Helper()
	p, err := Compile(budget.Free, pattern, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestMatchingIsLinear runs patterns that take CPython exponential or quadratic
// time, and checks what they pay for.
func TestMatchingIsLinear(t *testing.T) {
	for _, tt := range []struct{ pattern, text string }{
		{`(a+)+$`, strings.Repeat("a", 20_000) + "!"},
		{`(?:a|a)*b`, strings.Repeat("a", 20_000)},
		{`(x+x+)+y`, strings.Repeat("x", 20_000)},
		{`(.*)(.*)(.*)(.*)z`, strings.Repeat("a", 20_000)},
		{`(a*)*b`, strings.Repeat("a", 20_000)},
		{`(?:(a?)*)*b`, strings.Repeat("a", 20_000)},
		{strings.Repeat("a?", 30) + strings.Repeat("a", 30), strings.Repeat("a", 30)},
		{`(\w+\s?)+:`, strings.Repeat("word ", 4_000)},
		{`[a-z]+\d`, strings.Repeat("a", 20_000)},
	} {
		var s Scratch
		p := &purse{bytes: 10 << 20, units: 20_000 * 2_000}
		if _, err := compile(t, tt.pattern).Find(p, &s, tt.text, 0, len(tt.text), Search); err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
		}
		if p.largest > 1_000_000 {
			t.Errorf("%s: pays %d units at once", tt.pattern, p.largest)
		}
	}
}

// TestAScanIsLinear finds many matches, each of which wears the backtracker out.
func TestAScanIsLinear(t *testing.T) {
	text := strings.Repeat("xxxxxxxxxxxxxxxxxxxxxxxx z", 1_000)
	sc := Scanner{Pattern: compile(t, `(?:x+x+)+y|z`), Text: text, End: len(text)}
	var s Scratch
	p := &purse{bytes: 10 << 20, units: len(text) * 2_000}
	n := 0
	for {
		m, err := sc.Next(p, &s)
		if err != nil {
			t.Fatal(err)
		}
		if m == nil {
			break
		}
		n++
	}
	if n != 1_000 {
		t.Errorf("%d matches, want 1000", n)
	}
}

func TestRefusalsOfTheMeterEndAMatch(t *testing.T) {
	text := strings.Repeat("a", 1<<20)
	for _, pattern := range []string{`(a+)+$`, `b`, `[bc]`, `(?=.*b)a`, `.*b`, `(a*)*b`} {
		var s Scratch
		_, err := compile(t, pattern).Find(&purse{bytes: 64 << 20, units: 200_000}, &s, text, 0, len(text), Search)
		if !errors.Is(err, errBroke) {
			t.Errorf("%s: %v, want the error of the meter", pattern, err)
		}
	}
}

func TestLargePatternsAreRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		`((a{1000}){1000}){1000}`:            "the pattern is too large when its counted repeats are written out",
		strings.Repeat("(", 200):             "RecursionError: maximum recursion depth exceeded",
		strings.Repeat("(?:", 5000):          "RecursionError: maximum recursion depth exceeded",
		strings.Repeat("a", maxPattern+1):    "pattern is too long",
		`(?:(?:(?:){65535}){65535}){65535}`:  "",
		`(?:(?:(?:(?=){999}){999}){999}){9}`: "the pattern is too large when its counted repeats are written out",
	} {
		_, err := Compile(&purse{bytes: 50 << 20, units: 1 << 30}, pattern, false, 0)
		if got := message(err); got != want {
			t.Errorf("%.40s: got %q, want %q", pattern, got, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func FuzzPattern(f *testing.F) {
	for _, s := range []string{`(a+)+$`, `(?P<x>a|b)*?\1`, `[^\W\d_]{2,3}`, `(?i)ſ`, `(?<=a)(?!b)`, "\xed\xa0\x80"} {
		f.Add(s, "aab\u017f", uint16(0), false)
	}
	f.Fuzz(func(t *testing.T, pattern, text string, flags uint16, bytes bool) {
		p, err := Compile(&purse{bytes: 1 << 24, units: 1 << 26}, pattern, bytes, Flags(flags))
		if err != nil {
			return
		}
		for _, pike := range []bool{false, true} {
			var s Scratch
			sc := Scanner{Pattern: p, Text: text, End: len(text), Tired: pike}
			for n := 0; ; n++ {
				m, err := sc.Next(&purse{bytes: 1 << 24, units: 1 << 24}, &s)
				if err != nil || m == nil {
					break
				}
				if m[0] < 0 || m[1] < m[0] || m[1] > len(text) || n > 2*len(text)+2 {
					t.Fatalf("match %v, number %d", m, n)
				}
				p.LastIndex(m)
			}
		}
	})
}

func FuzzTemplate(f *testing.F) {
	f.Add(`\1\g<x>\g<0>\101\n`)
	p := compile(f, `(?P<x>a)(b)?`)
	f.Fuzz(func(t *testing.T, template string) {
		tm, err := ParseTemplate(budget.Free, p, template)
		if err != nil {
			return
		}
		var s Scratch
		if _, _, err := p.Sub(budget.Free, &s, tm, "xaby a", 0); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	text := strings.Repeat("2024-01-15 INFO user=alice action=login id=12345\n", 100)
	for _, pattern := range []string{`\d+`, `user=(\w+)`, `(\d{4})-(\d\d)-(\d\d)`, `\b\w+\b`, `(?m)^(\S+) (\w+) (.*)$`, `[^=\s]+=[^=\s]+`} {
		b.Run(pattern, func(b *testing.B) {
			p := compile(b, pattern)
			var s Scratch
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for range b.N {
				sc := Scanner{Pattern: p, Text: text, End: len(text)}
				for {
					m, err := sc.Next(budget.Free, &s)
					if err != nil || m == nil {
						break
					}
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		if _, err := Compile(budget.Free, `(\d{4})-(\d\d)-(\d\d)`, false, 0); err != nil {
			b.Fatal(err)
		}
	}
}
