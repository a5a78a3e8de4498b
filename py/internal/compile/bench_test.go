package compile

import (
	"os"
	"testing"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// agentProgram is a program of seventeen lines as agents write them.
const agentProgram = `orders = fetch_orders(customer)
total = 0.0
by_month = {}
for order in orders:
    if order["status"] == "cancelled":
        continue
    amount = order["price"] * order["quantity"]
    total += amount
    month = order["date"][:7]
    by_month[month] = by_month.get(month, 0) + amount
best = max(by_month, key=lambda m: by_month[m])
def describe(month, amount):
    return f"{month}: {amount:.2f}"
lines = [describe(m, a) for m, a in sorted(by_month.items()) if a > 10]
if total > 1000 and len(lines) > 1:
    notify(customer, "\n".join(lines))
{"total": total, "best": best, "lines": lines}
`

func BenchmarkCompile(b *testing.B) {
	small, err := os.ReadFile("testdata/programs/control.py")
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range []struct{ name, source string }{
		{"one", "1 + 1"}, {"agent", agentProgram}, {"long", string(small)},
	} {
		f, err := syntax.Parse("x.py", p.source)
		if err != nil {
			b.Fatal(err)
		}
		options := Options{Name: "x.py", Builtin: isTestBuiltin, Result: true}
		b.Run(p.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(p.source)))
			for b.Loop() {
				if _, err := Compile(f, options); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
