package mt_test

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/mt"
	"github.com/google/go-cmp/cmp"
)

func seeded(t *testing.T, kind, seed string) *mt.Generator {
	t.Helper()
	var g *mt.Generator
	var err error
	switch kind {
	case "int":
		n, _ := new(big.Int).SetString(seed, 0)
		g, err = mt.New(budget.Free, n)
	case "float":
		var hash int64
		if hash, err = strconv.ParseInt(seed, 10, 64); err == nil {
			g, err = mt.NewFloat(budget.Free, hash)
		}
	default:
		var data []byte
		if data, err = hex.DecodeString(strings.TrimPrefix(seed, "-")); err == nil {
			g, err = mt.NewText(budget.Free, string(data))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGolden compares with what CPython drew, see testdata/generate.py.
func TestGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(string(data)) {
		fields := strings.Fields(text)
		g := seeded(t, fields[0], fields[1])
		var got []string
		for _, k := range []int{0, 1, 31, 32, 33, 53, 64, 65, 96, 1000} {
			got = append(got, draw(t, g, k))
		}
		for _, n := range []uint64{1, 2, 3, 1000, 1<<40 + 1} {
			got = append(got, fmt.Sprintf("%#x", g.Below(n)))
		}
		if _, err := g.Bits(budget.Free, 32*1300); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(fields[4:], got); diff != "" {
			t.Errorf("seed %s %s (-want +got):\n%s", fields[0], fields[1], diff)
		}
		if want, _ := strconv.ParseFloat(fields[3], 64); g.Float64() != want {
			t.Errorf("seed %s %s: the float that follows is not %v", fields[0], fields[1], want)
		}
	}
}

func draw(t *testing.T, g *mt.Generator, k int) string {
	t.Helper()
	if k <= 64 {
		return fmt.Sprintf("%#x", g.Bits64(k))
	}
	z, err := g.Bits(budget.Free, k)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%#x", z)
}

// TestState carries a generator over to another, in both forms.
func TestState(t *testing.T) {
	g := seeded(t, "int", "0x2a")
	for range 1000 {
		g.Uint32()
	}
	data, err := g.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var fromBytes, fromWords mt.Generator
	if err := fromBytes.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if err := fromWords.SetWords(g.Words()); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if want := g.Uint32(); fromBytes.Uint32() != want || fromWords.Uint32() != want {
			t.Fatal("the sequences differ")
		}
	}
}

func FuzzUnmarshalBinary(f *testing.F) {
	f.Add(make([]byte, mt.MarshaledSize))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		var g mt.Generator
		if g.UnmarshalBinary(data) != nil {
			return
		}
		g.Uint32()
		again, err := g.AppendBinary(nil)
		if err != nil || len(again) != mt.MarshaledSize {
			t.Errorf("a state that was read can't be written: %v", err)
		}
	})
}
