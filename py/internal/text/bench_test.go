package text

import (
	"strings"
	"testing"
)

func BenchmarkSmall(b *testing.B) {
	s := Of("Hello, World of text")
	for name, f := range map[string]func(){
		"upper":        func() { _, _ = Upper(free, s) },
		"strip":        func() { _, _ = StripSpace(free, s, Both) },
		"split":        func() { _, _ = SplitSpace(free, s, -1) },
		"find":         func() { _, _ = Find(free, s, "text", 0, End) },
		"replace":      func() { _, _ = Replace(free, s, "o", "0", -1) },
		"repr":         func() { _, _ = Repr(free, s) },
		"slice":        func() { _, _ = Slice(free, s, 3, 1, 10) },
		"isalpha":      func() { _, _ = Is(free, s, Alpha) },
		"format float": func() { _, _ = FormatFloat(free, 3.14159, ".2f", "float") },
		"format int":   func() { _, _ = FormatInt(free, Int{Small: 1234567}, ",", "int") },
		"format str":   func() { _, _ = FormatStr(free, s, ">30", "str") },
		"float repr":   func() { _ = FloatRepr(3.14159) },
		"parse int":    func() { _, _ = ParseInt(free, Of("12345"), 10) },
		"parse float":  func() { _, _ = ParseFloat(free, Of("3.14159")) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}

func BenchmarkLarge(b *testing.B) {
	s := Of(strings.Repeat("Hello, World of text\n", 50_000))
	for name, f := range map[string]func(){
		"upper":   func() { _, _ = Upper(free, s) },
		"split":   func() { _, _ = SplitSpace(free, s, -1) },
		"lines":   func() { _, _ = SplitLines(free, s, false) },
		"find":    func() { _, _ = Find(free, s, "nowhere", 0, End) },
		"long":    func() { _, _ = Find(free, s, strings.Repeat("nowhere", 9), 0, End) },
		"replace": func() { _, _ = Replace(free, s, "o", "0", -1) },
		"repr":    func() { _, _ = Repr(free, s) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s.S)))
			for b.Loop() {
				f()
			}
		})
	}
}
