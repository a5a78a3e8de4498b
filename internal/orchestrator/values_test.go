package orchestrator

import (
	"math/big"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/value"
)

func compareValues() cmp.Options {
	return cmp.Options{
		cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 }),
		cmp.Transformer("items", func(d *value.Dict) [][2]any {
			var items [][2]any
			for k, v := range d.All() {
				items = append(items, [2]any{k, v})
			}
			return items
		}),
	}
}

func mustBig(digits string) *big.Int {
	n, _ := new(big.Int).SetString(digits, 10)
	return n
}
