// Package unidata holds what Python's unicodedata knows of each code point. The
// table is unpacked when somebody first asks, once for the process.
package unidata

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Version is that of Unicode.
const Version = "14.0.0"

//go:embed ucd.txt.gz
var packed []byte

// stretch is a run of code points with the same properties.
type stretch struct {
	first, last rune
	rest        string // of its line
}

// stretches are in the order of their code points, and leave nothing out.
var stretches = sync.OnceValue(func() []stretch {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic("unidata: " + err.Error())
	}
	var data bytes.Buffer
	if _, err := data.ReadFrom(r); err != nil {
		panic("unidata: " + err.Error())
	}
	lines := strings.Split(strings.TrimSuffix(data.String(), "\n"), "\n")
	all := make([]stretch, len(lines))
	for i, line := range lines {
		first, rest, _ := strings.Cut(line, ";")
		last, rest, _ := strings.Cut(rest, ";")
		all[i] = stretch{codePoint(first), codePoint(last), rest}
	}
	return all
})

func codePoint(hex string) rune {
	n, err := strconv.ParseUint(hex, 16, 21)
	if err != nil {
		panic("unidata: " + err.Error())
	}
	return rune(n)
}

// Record is what is known of a code point.
type Record struct {
	Category, Bidirectional string
	Combining               int
	Width                   string // "Na", "W", ...
	Mirrored                bool
	Decomposition           string // as Python writes it: "<compat> 0061 0301"
	Decimal, Digit          bool   // whether Number is one
	Numeric                 bool
	Number                  float64
	composes                bool
	name                    string
}

// Find returns what is known of a code point.
func Find(r rune) Record {
	all := stretches()
	i, ok := slices.BinarySearchFunc(all, r, func(s stretch, r rune) int {
		switch {
		case s.last < r:
			return -1
		case s.first > r:
			return 1
		}
		return 0
	})
	if !ok {
		return Record{Category: "Cn"}
	}
	return parse(all[i].rest)
}

func parse(line string) Record {
	f := strings.SplitN(line, ";", 8)
	combining, _ := strconv.Atoi(f[2])
	decomposition, composes := strings.CutPrefix(f[5], "=")
	rec := Record{
		Category: f[0], Bidirectional: f[1], Combining: combining, Width: f[3], Mirrored: f[4] == "1",
		Decomposition: decomposition, composes: composes, name: f[7],
	}
	if n := f[6]; n != "" {
		rec.Numeric, rec.Digit, rec.Decimal = true, n[0] != 'n', n[0] == 'e'
		rec.Number, _ = strconv.ParseFloat(n[1:], 64)
	}
	return rec
}

// Name returns the name of a code point, or "".
func Name(r rune) string {
	name := Find(r).name
	switch {
	case name == hangulName:
		return hangulSyllable(r)
	case strings.HasSuffix(name, "-"):
		return name + strings.ToUpper(strconv.FormatInt(int64(r), 16))
	}
	return name
}

// Lookup returns the code point that has a name.
func Lookup(name string) (rune, bool) {
	name = strings.ToUpper(name)
	if i := strings.LastIndexByte(name, '-'); i >= 0 && i < len(name)-1 {
		if n, err := strconv.ParseUint(name[i+1:], 16, 21); err == nil && Name(rune(n)) == name {
			return rune(n), true
		}
	}
	if r, ok := hangulNamed(name); ok {
		return r, true
	}
	for _, s := range stretches() {
		if strings.HasSuffix(s.rest, name) && parse(s.rest).name == name && name != hangulName && name != "" {
			return s.first, true
		}
	}
	return 0, false
}
