package text

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func FuzzFormat(f *testing.F) {
	for _, spec := range []string{"", "é=+#010_.3f", "z.2e", ",d", "<5", "99999999999999999999", "\xed\xa0\x80^3"} {
		f.Add(spec, 1.5, int64(7))
	}
	f.Fuzz(func(t *testing.T, spec string, x float64, i int64) {
		m := &purse{bytes: 1 << 20, units: 1 << 30}
		_, _ = FormatFloat(m, x, spec, "float")
		_, _ = FormatInt(m, Int{Small: i}, spec, "int")
		s, err := FormatStr(m, Of(spec), spec, "str")
		if err == nil && Valid(spec) && !Valid(s) {
			t.Errorf("%q made %q", spec, s)
		}
	})
}

func FuzzFields(f *testing.F) {
	for _, s := range []string{"{}", "{0[a].b!r:>{1}}", "{{}}", "{a[}]}", "{!", "{:{{", "\xff{\xed\xa0\x80}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, format string) {
		fields := Fields{Rest: format}
		for n := 0; ; n++ {
			if n > len(format) {
				t.Fatal("more segments than bytes")
			}
			s, more, err := fields.Next(free)
			if err != nil || !more {
				return
			}
			_, _ = s.CheckConversion()
			_, _ = SplitName(free, s.Name)
		}
	})
}

func FuzzPercent(f *testing.F) {
	for _, s := range []string{"%d", "%(a)5.2f", "%-*.*x", "%%", "%(((", "%\xff", "%99999999999999999999d"} {
		f.Add(s, int64(5))
	}
	f.Fuzz(func(t *testing.T, format string, arg int64) {
		m := &purse{bytes: 1 << 20, units: 1 << 30}
		for _, raw := range []bool{false, true} {
			p := NewPercent(Str{format, raw, raw})
			for n := 0; n <= len(format); n++ {
				_, more, err := p.Literal(m)
				if err != nil || !more || !fuzzDirective(m, p, arg) {
					return
				}
			}
			t.Fatal("more directives than bytes")
		}
	})
}

func fuzzDirective(m *purse, p *Percent, arg int64) bool {
	d, err := p.Start(m)
	if err == nil && d.StarWidth {
		d, err = p.Width(d, Int{Small: arg})
	}
	if err == nil {
		d, err = p.Middle(d)
	}
	if err == nil && d.StarPrecision {
		d, err = p.Precision(d, Int{Small: arg})
	}
	if err == nil {
		d, err = p.End(d)
	}
	if err != nil {
		return false
	}
	_ = p.Unsupported(d)
	_, _ = d.FormatInt(m, Int{Small: arg})
	_, _ = d.FormatFloat(m, float64(arg))
	_, _ = d.FormatStr(m, Of("abcé"))
	_, _ = d.FormatChar(m, Int{Small: arg})
	return true
}

func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"1_0", "0x_f", "-1e5", "nan", "0x1.8p3", "٥", "\xed\xa0\x80"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, base int) {
		m := &purse{bytes: 1 << 20, units: 1 << 30}
		_, _ = ParseInt(m, Of(s), base)
		_, _ = ParseFloat(m, Of(s))
		_, _ = FloatFromHex(m, Of(s))
	})
}

func FuzzDecode(f *testing.F) {
	for _, codec := range []string{"utf-8", "utf-16", "utf-32-be", "ascii"} {
		f.Add("\xff\xfea\x00\xd8", codec, "surrogatepass")
		f.Add("\xed\xa0\x80\xe2\x82", codec, "backslashreplace")
	}
	f.Fuzz(func(t *testing.T, b, codec, handler string) {
		m := &purse{bytes: 1 << 20, units: 1 << 30}
		s, err := Decode(m, b, codec, handler)
		if err != nil {
			return
		}
		if !Valid(s) {
			t.Errorf("%q became %q, which is no str", b, s)
		}
		_, _ = Encode(m, Of(s), codec, handler)
	})
}

// FuzzMethods calls what takes one or two texts, of any bytes.
func FuzzMethods(f *testing.F) {
	f.Add("aΣ\tb", "a", 3)
	f.Add("\xed\xa0\x80\xff", "\x80", -1)
	f.Fuzz(func(t *testing.T, s, sub string, n int) {
		m := &purse{bytes: 1 << 20, units: 1 << 30}
		for _, str := range []Str{Of(s), Bytes(s)} {
			for _, g := range []oneText{Upper, Lower, Title, Capitalize, SwapCase, Repr} {
				_, _ = g(m, str)
			}
			_, _ = Find(m, str, sub, n, End)
			_, _ = RFind(m, str, sub, 0, n)
			_, _ = Count(m, str, sub, n, n)
			_, _ = SplitSpace(m, str, n)
			_, _ = RSplitSpace(m, str, n)
			_, _ = SplitLines(m, str, true)
			_, _ = Split(m, s, sub, n)
			_, _ = RSplit(m, s, sub, n)
			_, _ = Strip(m, str, sub, Both)
			_, _ = Replace(m, str, sub, "xy", n)
			_, _ = ExpandTabs(m, str, n)
			_, _ = ZFill(m, str, n)
			_, _ = Center(m, str, n, "*")
		}
	})
}

func TestSearchAgreesWithStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`(ab|aa|b){0,200}`).Draw(t, "s")
		sub := rapid.StringMatching(`(ab|aa|b){0,60}`).Draw(t, "sub")
		at, _ := index(free, s, sub)
		last, _ := lastIndex(free, s, sub)
		if at != strings.Index(s, sub) || last != strings.LastIndex(s, sub) {
			t.Fatalf("%d %d", at, last)
		}
		long, _ := indexLong(free, s, sub+"b")
		lastLong, _ := lastIndexLong(free, s, sub+"b")
		if long != strings.Index(s, sub+"b") || lastLong != strings.LastIndex(s, sub+"b") {
			t.Fatalf("long: %d %d", long, lastLong)
		}
	})
}

func TestFloatsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		for _, s := range []string{FloatRepr(f), strconv.FormatFloat(f, 'g', 17, 64)} {
			back, err := ParseFloat(free, Of(s))
			if err != nil || back != f && !math.IsNaN(f) {
				t.Fatalf("%s became %v, %v", s, back, err)
			}
		}
		back, err := FloatFromHex(free, Of(FloatHex(f)))
		if err != nil || back != f && !math.IsNaN(f) {
			t.Fatalf("%s became %v, %v", FloatHex(f), back, err)
		}
	})
}
