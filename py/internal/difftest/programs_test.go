package difftest

import (
	"fmt"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/py"
)

// TestPrograms runs the corpus and compares with what CPython did.
func TestPrograms(t *testing.T) {
	for _, path := range corpus(t) {
		programs, err := ReadPrograms(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ReadGolden(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range programs {
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(path), p.Line), func(t *testing.T) {
				judge(t, p, Difference(want[i], run(p.Source, dialect(path))))
			})
		}
	}
}

func judge(t *testing.T, p Program, difference string) {
	t.Helper()
	switch reason := p.Differs(); {
	case reason != "" && difference == "":
		t.Errorf("it does not differ any more: %s", reason)
	case reason != "":
		t.Skipf("differs: %s", reason)
	case difference != "":
		t.Error(difference)
	}
}

func dialect(path string) py.Dialect {
	if filepath.Base(filepath.Dir(path)) == "strict" {
		return py.Strict
	}
	return py.Extended
}

// add adds ints of any size, as values of package api.
func add(a, b any) (any, error) {
	x, err := bigInt(a)
	if err != nil {
		return nil, err
	}
	y, err := bigInt(b)
	if err != nil {
		return nil, err
	}
	return x.Add(x, y), nil
}

func bigInt(v any) (*big.Int, error) {
	switch v := v.(type) {
	case int64:
		return big.NewInt(v), nil
	case *big.Int:
		return new(big.Int).Set(v), nil
	}
	return nil, fmt.Errorf("want an int, got %T", v)
}
