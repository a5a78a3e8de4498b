package calendar

import (
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
)

// FuzzISO checks that what is accepted exists.
func FuzzISO(f *testing.F) {
	for _, s := range []string{"2024-W06-1T12:30:45.123456+05:30", "20240205123045Z", "\xff\xff\xff\xff-W", "2024W061\xed\xa0\x8012"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := ParseDate(s); err == nil && d.Check() != nil {
			t.Fatalf("date %v", d)
		}
		if m, err := ParseTime(s); err == nil && m.Clock.Check() != nil {
			t.Fatalf("time %v", m)
		}
		if m, err := ParseDateTime(s); err == nil && (m.Date.Check() != nil || m.Clock.Check() != nil) {
			t.Fatalf("moment %v", m)
		}
	})
}

// FuzzFormats reads back what strftime writes and anything else.
func FuzzFormats(f *testing.F) {
	f.Add("%Y-%m-%d %H:%M:%S.%f", "2024-02-05 01:02:03.4")
	f.Add("%99999999999999999999d%_#^010c%", "%")
	f.Add("%G %V %u %U %W %j %z", "1 2")
	f.Fuzz(func(t *testing.T, format, text string) {
		out, err := Strftime(budget.Free, format, Fields{Date: Date{2024, 2, 5}, Clock: Clock{1, 2, 3, 4}})
		if err != nil || len(out) > 4*(1024+512*len(format)) {
			t.Fatalf("%d bytes, %v", len(out), err)
		}
		l, err := NewLayout(budget.Free, format)
		if err != nil {
			return
		}
		var s regex.Scratch
		for _, in := range []string{text, out} {
			if m, err := l.Parse(budget.Free, &s, in); err == nil && (m.Date.Check() != nil || m.Clock.Check() != nil) {
				t.Fatalf("moment %v", m)
			}
		}
	})
}

// TestDigitsOfAllScripts checks that runs of ten digits are found right.
func TestDigitsOfAllScripts(t *testing.T) {
	for r, want := range map[rune]int{'7': 7, '٣': 3, '０': 0, '９': 9, '𝟗': 9, '𝟘': 0, '𝟿': 9, 'x': -1, '²': -1} {
		if got := digitValue(r); got != want {
			t.Errorf("%q: %d, want %d", r, got, want)
		}
	}
}

func TestEveryDay(t *testing.T) {
	last := Date{}
	for n := 1; n <= MaxOrdinal; n += 13 {
		d, err := FromOrdinal(n)
		if err != nil || d.Ordinal() != n || d.Check() != nil || d == last {
			t.Fatalf("%d is %v, %v", n, d, err)
		}
		last = d
	}
}

func BenchmarkStrptime(b *testing.B) {
	l, err := NewLayout(budget.Free, "%Y-%m-%d %H:%M:%S")
	if err != nil {
		b.Fatal(err)
	}
	var s regex.Scratch
	b.ReportAllocs()
	for range b.N {
		if _, err := l.Parse(budget.Free, &s, "2024-02-05 01:02:03"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewLayout(b *testing.B) {
	for range b.N {
		if _, err := NewLayout(budget.Free, "%d %B %Y"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFromOrdinal(b *testing.B) {
	for i := range b.N {
		if _, err := FromOrdinal(700_000 + i%50_000); err != nil {
			b.Fatal(err)
		}
	}
}
