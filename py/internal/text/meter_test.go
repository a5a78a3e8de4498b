package text

import (
	"errors"
	"math/big"
	"strings"
	"testing"
)

var errSpent = errors.New("spent")

// purse is a Meter that refuses when it is empty.
type purse struct{ bytes, units, most int }

func (p *purse) Alloc(n int) error {
	if n < 0 || n > p.bytes {
		return errSpent
	}
	p.bytes -= n
	return nil
}

func (p *purse) Work(n int) error {
	p.most = max(p.most, n)
	if n < 0 || n > p.units {
		return errSpent
	}
	p.units -= n
	return nil
}

// TestRefusesBeforeAllocation asks for results far beyond memory. Each must be
// refused by the meter or by itself; a result that were made first would end the
// test binary.
func TestRefusesBeforeAllocation(t *testing.T) {
	const huge = 1 << 62
	long := Of(strings.Repeat("a", 1<<16))
	tab := Of("\t")
	cases := map[string]func(m *purse) error{
		"center": func(m *purse) error { _, err := Center(m, long, huge, "é"); return err },
		"ljust":  func(m *purse) error { _, err := LJust(m, long, 1<<40, " "); return err },
		"zfill":  func(m *purse) error { _, err := ZFill(m, long, huge); return err },
		"tabs":   func(m *purse) error { _, err := ExpandTabs(m, tab, huge); return err },
		"replace": func(m *purse) error {
			_, err := Replace(m, long, "a", strings.Repeat("b", 1<<16), -1)
			return err
		},
		"interleave": func(m *purse) error {
			_, err := Replace(m, long, "", strings.Repeat("b", 1<<16), -1)
			return err
		},
		"join": func(m *purse) error {
			_, err := Join(m, strings.Repeat("b", 1<<20), make([]string, 1<<12))
			return err
		},
		"format str":   func(m *purse) error { _, err := FormatStr(m, long, "9223372036854775807", "str"); return err },
		"format int":   func(m *purse) error { _, err := FormatInt(m, Int{}, "09223372036854775807,d", "int"); return err },
		"format fill":  func(m *purse) error { _, err := FormatInt(m, Int{}, "é=9223372036854775807", "int"); return err },
		"format float": func(m *purse) error { _, err := FormatFloat(m, 1, ".2147483647f", "float"); return err },
		"percent width": func(m *purse) error {
			_, err := Directive{width: huge, precision: -1, Type: 'd'}.FormatInt(m, Int{Small: 1})
			return err
		},
		"percent precision": func(m *purse) error {
			_, err := Directive{precision: 1 << 30, Type: 'd'}.FormatInt(m, Int{Small: 1})
			return err
		},
		"digits": func(m *purse) error {
			_, err := HexText(m, Int{Big: new(big.Int).Lsh(big.NewInt(1), 1<<23)})
			return err
		},
		"split": func(m *purse) error { _, err := Split(m, long.S, "a", -1); return err },
		"encode": func(m *purse) error {
			_, err := Encode(m, Of(strings.Repeat("a", 1<<19)), "utf-32", "strict")
			return err
		},
		"maketrans": func(m *purse) error { _, err := MakeTrans(m, long.S, long.S, long.S); return err },
	}
	for name, f := range cases {
		err := f(&purse{bytes: 1 << 20, units: 1 << 40})
		if err == nil || err != errSpent && !strings.HasPrefix(err.Error(), "MemoryError") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPaysForWork runs operations over a long text with little time to spend.
func TestPaysForWork(t *testing.T) {
	flat := Of(strings.Repeat("ab ", 1<<20))
	wide := Of(strings.Repeat("é ", 1<<20))
	needle := strings.Repeat("ab ", 1<<10) + "x"
	for _, s := range []Str{flat, wide} {
		cases := map[string]func(m *purse) error{
			"upper":   func(m *purse) error { _, err := Upper(m, s); return err },
			"find":    func(m *purse) error { _, err := Find(m, s, "x", 0, End); return err },
			"rfind":   func(m *purse) error { _, err := RFind(m, s, "x", 0, End); return err },
			"long":    func(m *purse) error { _, err := Find(m, s, needle, 0, End); return err },
			"rlong":   func(m *purse) error { _, err := RFind(m, s, needle, 0, End); return err },
			"count":   func(m *purse) error { _, err := Count(m, s, " ", 0, End); return err },
			"split":   func(m *purse) error { _, err := SplitSpace(m, s, -1); return err },
			"lines":   func(m *purse) error { _, err := SplitLines(m, s, false); return err },
			"repr":    func(m *purse) error { _, err := Repr(m, s); return err },
			"isalpha": func(m *purse) error { _, err := Is(m, Str{S: strings.ReplaceAll(s.S, " ", "a")}, Alpha); return err },
			"int":     func(m *purse) error { _, err := ParseInt(m, s, 10); return err },
			"float":   func(m *purse) error { _, err := ParseFloat(m, s); return err },
			"strip":   func(m *purse) error { _, err := Strip(m, s, "é ab", Both); return err },
			"encode":  func(m *purse) error { _, err := Encode(m, s, "utf-16", "strict"); return err },
			"decode":  func(m *purse) error { _, err := Decode(m, s.S, "utf-16", "replace"); return err },
			"slice":   func(m *purse) error { _, err := Slice(m, s, 0, 2, 1<<19); return err },
			"spec":    func(m *purse) error { _, err := FormatStr(m, s, s.S, "str"); return err },
		}
		for name, f := range cases {
			p := &purse{bytes: 1 << 40, units: 1 << 19}
			if err := f(p); err != errSpent {
				t.Errorf("%s of flat=%v: %v", name, s.Flat, err)
			}
			if p.most > 1e6 {
				t.Errorf("%s paid %d units at once", name, p.most)
			}
		}
	}
}

// TestSearchIsLinear searches for needles that make naive searches quadratic,
// with work for a few passes over the text.
func TestSearchIsLinear(t *testing.T) {
	hay := strings.Repeat("a", 1<<20)
	period := strings.Repeat("aaaaaaaaaaaaaaaab", 1<<16)
	needles := []string{strings.Repeat("a", 1<<19) + "b", "b" + strings.Repeat("a", 1<<19), strings.Repeat("aaaaaaaaaaaaaaaab", 1<<15) + "c"}
	for _, s := range []string{hay, period} {
		for i, n := range needles {
			m := &purse{bytes: 1 << 30, units: 64 << 20}
			for _, f := range []indexer{index, lastIndex} {
				at, err := f(m, s, n)
				if err != nil || at >= 0 && !strings.HasPrefix(s[at:], n) {
					t.Errorf("needle %d: %d, %v", i, at, err)
				}
			}
			if _, err := count(m, s, "a", len(s)); err != nil {
				t.Error(err)
			}
		}
	}
}
